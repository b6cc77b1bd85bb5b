// tests/play/play_test.mjs · ./tutorial play in a real browser: node play_test.mjs COPY, where COPY is a copy of the repository,
// since the test writes into exercises/. tests/play/run makes it.
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import net from 'node:net';
import {join, relative, resolve} from 'node:path';
import puppeteer from 'puppeteer-core';

const root = process.argv[2], site = resolve(root, 'build/site'), axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const wait = ms => new Promise(go => setTimeout(go, ms));
const exercise = `${root}/exercises/01_attention/softmax.cpp`;
const stub = readFileSync(exercise, 'utf8'), solution = readFileSync(`${root}/solutions/01_attention/softmax.cpp`, 'utf8');

// --- the server

// Starts ./tutorial play, with these flags too, and waits for its address.
async function start(...flags) {
  const one = spawn('./tutorial', ['play', ...flags, '--no-open', '--no-install', '--alone'], {cwd: root, stdio: ['ignore', 'pipe', 'inherit']});
  one.said = '';
  one.stdout.on('data', block => { one.said += block; });
  for (let i = 0; !/token=\w+/.test(one.said); ++i) {
    assert.equal(one.exitCode, null, 'play ended before it said its address');
    assert(i < 6000, 'no address within five minutes');  // it may wait for a build
    await wait(50);
  }
  one.address = new URL(one.said.match(/http:\S+/)[0]);
  return one;
}
// As Ctrl-C does.
async function end(one) {
  one.kill('SIGINT');
  for (let i = 0; i < 100 && one.exitCode === null; ++i) await wait(100);
  assert.equal(one.exitCode, 0);
}
const play = await start('1'), {address} = play, {port} = address;
const left = () => {
  try {
    return execFileSync('pgrep', ['-f', `${root}/build/`]).toString().trim();
  } catch {
    return '';  // pgrep found none
  }
};

// Status and text of an answer; `headers` may be wrong ones.
const request = (path, {method = 'GET', headers = {}, body, at = port} = {}) => new Promise((answer, fail) => {
  const one = http.request({host: '127.0.0.1', port: at, path, method, headers: {Host: `127.0.0.1:${at}`, ...headers}}, response => {
    let text = '';
    response.on('data', block => { text += block; });
    response.on('end', () => answer({status: response.statusCode, text, headers: response.headers}));
    response.on('error', fail);
  });
  one.on('error', fail);
  one.end(body);
});
const cookieOf = async (server = address) =>
  (await request(`/${server.search}`, {at: server.port})).headers['set-cookie'][0].split(';')[0];

const browser = await puppeteer.launch({executablePath: '/usr/bin/chromium', protocolTimeout: 3600000, args: ['--no-sandbox', '--disable-gpu',
  '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
const page = await browser.newPage();
const errors = [];
page.on('pageerror', error => errors.push(error.message));
page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
await page.setViewport({width: 1300, height: 900});

// Waits for up to four times `most`, which is ample on a quiet machine: a busy one must not fail a test.
async function until(what, condition, most, ...args) {
  most *= 4;
  await page.waitForFunction(condition, {timeout: most, polling: 20}, ...args)
    .catch(() => { throw new Error(`${what}: not within ${most} ms. The page says: ${text.slice(0, 500)}`); });
}
let text = '';
const go = async hash => {
  await page.evaluate(to => { location.hash = to; }, hash);
  await wait(100);
};
// Waits until nothing that is in view, or comes near with what was scrolled last, is being computed.
async function untilComputed() {
  await page.evaluate(() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(go)))));
  await until('all is computed', () => !document.querySelector('[aria-busy=true]'), 10000);
}
const has = words => document.getElementById('page').innerText.includes(words);
// What a chapter's program prints: ./tutorial run starts it, but waits for builds.
const program = (name, ...words) => execFileSync(`${root}/build/release/bin/${name}`, words, {cwd: root}).toString();
// Types a value into the field of an option.
const type = (flag, value) => page.evaluate((id, words) => {
  const field = document.getElementById(id);
  field.value = words;
  field.dispatchEvent(new Event('input', {bubbles: true}));
}, `option${flag}`, String(value));
// What stands at fields as wrong, and how many fields are marked.
const wrong = () => [...document.querySelectorAll('.wrong')].map(one => one.textContent).join('');
const marked = () => page.evaluate(() => document.querySelectorAll('[aria-invalid=true]').length);
const checks = [];
const check = (name, body) => checks.push([name, body]);

// --- what must hold

check('the address gives the key, and nothing answers without it', async () => {
  const {status, headers} = await request(`/${address.search}`);
  assert.equal(status, 302);
  assert.match(headers['set-cookie'][0], /HttpOnly; SameSite=Strict/);
  const Cookie = headers['set-cookie'][0].split(';')[0];
  for (const path of ['/', '/main.js', '/api/state', '/api/text?path=README.md'])
    assert.equal((await request(path)).status, 403, path);
  assert.equal((await request('/?token=0')).status, 403);
  for (const path of ['/', '/?token=0', '/main.js']) {  // what a browser opens, it shows
    const told = await request(path, {headers: {Accept: 'text/html,*/*;q=0.8'}});
    assert.equal(told.status, 403);
    assert.match(told.headers['content-type'], /^text\/html/);
    assert.match(told.text, /<p>[^<]*\.\/tutorial play printed[^<]*\.<\/p>/);
    assert(!told.text.includes('<script'));
  }
  assert.match((await request('/api/state')).text, /^\{"error":/);
  assert.equal((await request('/api/state', {headers: {Cookie}})).status, 200);
  for (const Host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org:80', '[::2]', 'localhost:x'])
    assert.equal((await request('/api/state', {headers: {Cookie, Host}})).status, 403, Host);
  for (const Host of ['localhost', 'localhost:9', '[::1]:80', '127.0.0.1'])
    assert.equal((await request('/api/state', {headers: {Cookie, Host}})).status, 200, Host);
  assert.equal((await request('/api/state', {headers: {Cookie, Origin: 'http://example.org'}})).status, 403);
  for (const path of ['../../etc/passwd', '/etc/passwd', 'chapters/../build/release/build.ninja', '.git/config', 'tutorial',
    'build', 'weights', '.git', '.', '', 'exercises/..', 'exercises/../build', 'exercises/nothing'])
    assert.equal((await request(`/api/text?path=${path}`, {headers: {Cookie}})).status, 404, path);
  const ask = (body, more = '') => request(`/api/ask?chapter=01_attention${more}`, {method: 'POST', headers: {Cookie}, body});
  assert.equal((await ask('x'.repeat(10e6)).catch(() => ({status: 413}))).status, 413, '10 MB');
  assert.equal((await ask('{')).status, 400);
  assert.equal((await request('/api/list?chapter=99', {headers: {Cookie}})).status, 404);
});

check('the first chapter is built', async () => {
  await page.goto(address);
  await until('chapter 01 is ready', () => document.querySelector('#chapters li.ready'), 300000);
  assert.equal(new URL(page.url()).search, '', 'the key does not stay in the address');
  assert.equal(new URL(page.url()).hash, '#01_attention/lesson');
  assert.match(play.said, /\nCtrl-C ends it\.\n01 .+ is ready \(\d+ s\)\n/);
});

check('a second one finds another port', async () => {
  const second = await start();
  assert.notEqual(second.address.port, port);
  for (let i = 0; i < 20; ++i) assert.equal((await request(`/${address.search}`)).status, 302, 'this one answers at its port');
  await end(second);
});

check('a lesson has formulas, figures and closed folds', async () => {
  await go('#01_attention/lesson');
  await until('the lesson is there', has, 5000, 'who is tired?');
  const found = await page.evaluate(() => ({
    formulas: document.querySelectorAll('.katex').length, figures: document.querySelectorAll('figure svg').length,
    folds: document.querySelectorAll('details').length, open: document.querySelectorAll('details[open]').length}));
  assert(found.figures >= 4 && found.folds >= 5 && found.open === 0, JSON.stringify(found));
  assert(found.formulas >= 3, JSON.stringify(found));
  await page.evaluate(() => { location.hash = '#01_attention/deeper#what-it-costs'; });
  await until('deeper', has, 5000, 'FlashAttention');
});

check('the first key leads to the page, and Back to the place that one left', async () => {
  await go('#01_attention/lesson');
  await until('the lesson is there', has, 5000, 'who is tired?');
  await page.focus('.skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'page');
  assert.match(page.url(), /#01_attention\/lesson$/);
  await page.evaluate(() => scrollTo(0, 1500));
  await wait(100);
  await page.evaluate(() => document.querySelector('a[href^="#code/"]').click());
  await until('the steps', () => document.querySelector('.step'), 5000);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await until('the place', () => Math.abs(scrollY - 1500) < 3, 5000);
});

check('a folder is a list of its files', async () => {
  await go('#text/file?path=exercises%2F01_attention');
  await until('the files', has, 5000, 'softmax.cpp');
  await page.evaluate(() => [...document.querySelectorAll('#page a')].find(one => one.textContent === 'softmax.cpp').click());
  await until('the file', has, 5000, 'TODO 1.2');
  await go('#text/file?path=chapters');
  await until('folders', has, 5000, '01_attention/');
  await page.evaluate(() => [...document.querySelectorAll('#page a')].find(one => one.textContent === '01_attention/').click());
  await until('what is in one', has, 5000, 'attention.hpp');
});

check('what is typed is computed, and equals what the program prints', async () => {
  await go('#01_attention/live#nouns');
  await until('the sections', has, 20000, 'Computed with the solutions');
  await until('the head', () => document.getElementById('nouns'), 20000);
  const typed = 'the dog was tired';
  const before = await page.evaluate(() => document.getElementById('nouns')?.innerHTML ?? '');
  await page.evaluate(() => {
    document.getElementById('trained-head').scrollIntoView();
    document.querySelector('.controls input[type=text]').select();
  });
  await page.keyboard.type(typed);
  await until('a new table', words => {
    const cells = [...document.querySelectorAll('td')].map(one => one.textContent);
    return cells.some(one => one.includes(words));
  }, 5000, '(batch 1, seq 4, d_model 64)');
  assert(before !== await page.evaluate(() => document.getElementById('nouns')?.innerHTML ?? ''));
  assert.match(page.url(), /--text=the\+dog\+was\+tired/);
  const printed = program('01_attention', '--section', 'trained-head', '--text', typed);
  const numbers = await page.evaluate(() => [...document.getElementById('trained-head').closest('section').querySelectorAll('td.n')]
    .map(one => one.textContent));
  assert(numbers.length >= 20);
  for (const number of numbers) assert(printed.includes(number), `${number} is not in\n${printed}`);
  await page.reload();
  await until('the same text', () => document.querySelector('.controls input[type=text]')?.value === 'the dog was tired', 10000);
  await page.evaluate(() => document.getElementById('trained-head').scrollIntoView());
  await until('the head again', () => [...document.querySelectorAll('td')].some(one => one.textContent.includes('seq 4')), 10000);
});

check('pointing at a cell lights its row; Escape ends it', async () => {
  await page.click('.controls button');
  await until('the first text', () => [...document.querySelectorAll('td')].some(one => one.textContent.includes('seq 10')), 10000);
  await go('#02_masks/live');
  await until('a map', () => document.querySelector('.cell'), 60000);
  await untilComputed();
  await page.hover('.cell');
  await until('lit', () => document.querySelector('figure.lit .cell.on'), 2000);
  await page.click('.cell');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await until('ended', () => !document.querySelector('figure.lit'), 2000);
  await go('#01_attention/live');
  await until('chapter 01', has, 20000, 'By hand: a weighted mean');
});

check('a value that can not be is named at its field, nothing moves, and the picture stays', async () => {
  await page.evaluate(() => document.getElementById('option--heads').scrollIntoView());  // it stands at the section that reads it
  await untilComputed();
  const height = () => page.evaluate(() => document.querySelector('.controls').offsetHeight), before = await height();
  await type('--heads', 5);
  await until('the sentence', () => document.getElementById('wrong--heads').textContent === "heads 5 don't divide d model 32", 5000);
  assert.equal(await height(), before);
  const [field, said] = await page.evaluate(() => ['option--heads', 'wrong--heads'].map(id => document.getElementById(id).getBoundingClientRect().toJSON()));
  assert(said.top >= field.bottom && said.top < field.bottom + 12 && Math.abs(said.left - field.left) < 2, JSON.stringify({field, said}));
  assert.equal(await marked(), 2);
  await page.click('.controls button');
  await until('mended', () => !document.querySelector('.state .failed,.wrong:not(:empty)'), 10000);
  assert.equal(await marked(), 0);
});

check('all words that a trained model does not know are named, and no random weights are called trained', async () => {
  await type('--text', 'my zebra sat on my mat');
  await page.evaluate(() => document.getElementById('trained-head').scrollIntoView());
  await until('the words', has, 10000, 'does not know the words "my", "zebra" (it knows: the because');
  await untilComputed();
  const shown = await page.evaluate(() => [...document.getElementById('trained-head').closest('section').querySelectorAll('table,figure')].length);
  assert.equal(shown, 0);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.words mark')].map(one => one.textContent)), ['my', 'zebra', 'my']);
  await page.click('.controls button');
  const choose = word => page.evaluate(one => [...document.querySelectorAll('.words button')].find(each => each.textContent === one).click(), word);
  for (const word of ['dog', 'box', 'soft']) await choose(word).then(() => wait(50));
  await until('they take their places', () => document.getElementById('option--text').value === 'The dog sat on the box because it was soft', 2000);
  await page.click('.controls button');
  await until('the first text', () => document.getElementById('nouns'), 10000);
});

check('on a phone the list is folded, and what is wide scrolls in its box with a shadow', async () => {
  await page.setViewport({width: 400, height: 800});
  await untilComputed();
  const list = () => page.evaluate(() => document.querySelector('nav').offsetHeight);
  assert(await list() < 130, `${await list()} px`);
  await page.click('#menu');
  assert(await list() > 300);
  assert.equal(await page.evaluate(() => document.getElementById('menu').ariaExpanded), 'true');
  await page.click('#menu');
  const looksAt = () => [...document.querySelectorAll('.wide:has(.shape)')].map(box => ({
    over: box.scrollWidth - box.clientWidth, shadow: getComputedStyle(box).backgroundAttachment, keys: box.tabIndex,
    lines: Math.max(...[...box.querySelectorAll('td.shape')].map(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))}));
  const good = boxes => {
    assert(boxes.length > 0);
    for (const one of boxes) assert(one.over > 50 && one.shadow === 'local, local, scroll, scroll' && one.keys === 0, JSON.stringify(one));
  };
  good(await page.evaluate(looksAt));
  await page.setViewport({width: 1300, height: 900});
  program('01_attention', '--section', 'trained-head', '--plots', `${root}/build/phone`);
  const other = await browser.newPage();  // the page of a run
  await other.setViewport({width: 400, height: 800});
  await other.goto(`file://${root}/build/phone/index.html`);
  good(await other.evaluate(looksAt));
  assert(await other.evaluate(() => document.documentElement.scrollWidth) <= 400);
  await other.close();
});

check('an address that leads nowhere says so', async () => {
  for (const hash of ['#01_attention/lesson?%ff', '#02_masks/nope', '#99', '#way/nope', '#code/nope']) {
    await go(hash);
    await until(hash, has, 5000, `There is no such place as ${hash}`);
  }
  await go('#01_attention/live?--heads=abc');
  await until('the first value', () => document.getElementById('option--heads')?.value === '4', 10000);
});

check('one token’s way: its parts open with what the program prints', async () => {
  await go('#way/all');
  await until('a still while the program is built', () => document.querySelector('.still figure svg'), 10000);
  assert.match(await page.evaluate(() => document.getElementById('page').innerText), /program of chapter \d\d is (being built|next).*\n+.*A still/s);
  await until('the picture', () => document.querySelectorAll('.way .part').length === 28, 300000);
  await page.evaluate(() => document.querySelector('.lines .token[data-i="6"]').click());
  await until('its id', () => document.querySelector('.way .part').textContent.includes('id 58'), 5000);
  const open = name => page.evaluate(one => document.querySelector(`.part[data-name="${one}"]`)
    .dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})), name);
  await open('its vector after block 3');
  const {said, numbers} = await page.evaluate(() => ({said: document.querySelector('.zoom').innerText,
    numbers: [...document.querySelectorAll('.numbers td')].map(one => Number(one.textContent.replace('−', '-')))}));
  const length = said.match(/Its length is (\d+\.\d+)/)[1];
  assert.match(program('09_transformer', '--section', 'look-way', '--query', '7'), new RegExp(`block 3, feed-forward +${length}`));
  assert.equal(numbers.length, 128);
  assert(Math.abs(Math.hypot(...numbers) - length) < 0.05, 'the numbers are those of the vector');
  await open('block 2, head 3');
  await until('its map', () => document.querySelector('.zoom .cells[data-values]'), 10000);
  assert.match(page.url(), /--query=7&--layer=2&--head=3/);
  const coloured = await page.evaluate(() => [...document.querySelectorAll('.lines .line')].map(one => one.querySelectorAll('.s1,.s2,.s3,.s4').length));
  assert(coloured.length === 2 && coloured[0] > 0 && coloured[0] <= 7, 'what it looks at, and who looks at it');
});

check('one token’s way: what is wrong with a text is said as long as it is wrong', async () => {
  await type('--read', '');
  await until('the sentence', () => document.getElementById('wrong--read').textContent.includes('is empty'), 5000);
  assert.equal(await page.evaluate(wrong), 'the text is empty: it needs at least one character');
  await type('--read', 'the cat');
  await until('it is right', () => !document.querySelector('.wrong:not(:empty)'), 5000);
  assert.equal(await marked(), 0);
});

check('fields stand at what they move', async () => {
  await go('#09_transformer/live');
  await until('the fields', () => document.getElementById('option--query'), 20000);
  const {top, group, legend, own, names, empty} = await page.evaluate(() => {
    const flagsIn = box => [...box.querySelectorAll('[id^=option]')].map(one => one.id.slice(8));
    const group = document.querySelector('fieldset.fields');
    const own = id => flagsIn(document.getElementById(id).closest('section'));
    return {top: flagsIn(document.querySelector('form.controls')), group: flagsIn(group), legend: group.querySelector('legend').textContent,
      own: ['greedy', 'look-head', 'look-guesses'].map(own), empty: document.getElementById('option--layers').placeholder,
      names: [...document.querySelectorAll('.field label')].map(one => one.firstChild.textContent)};
  });
  assert.deepEqual(top, ['text', 'model', 'untrained', 'heads', 'd-model', 'layers', 'seed']);
  assert.deepEqual(group, ['read', 'query']);
  assert.match(legend, /^These fields move: Block 1, head 1: its map · Block by block/);
  assert.deepEqual(own, [['new-tokens'], ['layer', 'head'], []]);
  assert.equal(empty, 'its own');
  assert.equal(new Set(names).size, names.length, names.join());
});

check('write: sliders, a token with its alternatives, and going on from one', async () => {
  await go('#write/all');
  await until('the text', () => document.querySelectorAll('.token').length === 200, 300000);
  const text = () => page.evaluate(() => document.querySelector('.tokens').innerText);
  const beside = await page.evaluate(() => [...document.querySelectorAll('input[type=range]')]
    .map(one => getComputedStyle(one).padding + getComputedStyle(one).borderWidth));
  assert.deepEqual(beside, Array(4).fill('0px0px'), 'knobs reach both ends');
  const first = await text();
  assert.equal(await page.evaluate(() => document.querySelector('textarea').value), 'First Citizen:\nW', 'the text that was given');
  const printed = program('11_generation', '--section', 'write');
  for (const line of first.split('\n').slice(0, -1)) assert(printed.includes(line), `${line} is not in\n${printed}`);
  await page.evaluate(() => document.querySelectorAll('.token')[40].click());
  await until('its alternatives', () => document.querySelectorAll('.about-token button').length === 5, 2000);
  assert(await page.evaluate(() => document.querySelectorAll('.line .s1,.line .s2,.line .s3,.line .s4').length > 0), 'what it looked at');
  await page.evaluate(() => document.querySelectorAll('.about-token button')[1].click());
  await until('another text', before => document.querySelectorAll('.token').length === 200
    && document.querySelector('.tokens').innerText !== before, 5000, first);
  const prompt = await page.evaluate(() => document.querySelector('textarea').value);
  assert.equal([...prompt].length, 16 + 41);
  assert((await text()).startsWith(prompt.split('\n')[0]));
  await page.evaluate(() => {
    const slider = document.getElementById('option--temperature');
    slider.value = 0;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    document.getElementById('option--without-cache').click();
  });
  await until('the times', has, 60000, 'times as long');
  await page.evaluate(() => document.querySelectorAll('.token')[100].click());
  await until('of one token', has, 2000, 'ms with the cache,');
  assert.match(page.url(), /--temperature=0/);
});

check('a page whose server has ended says so, and goes on with the next one; a bookmark opens in it', async () => {
  const key = `${root}/.tutorial/play_key`;
  assert.equal(statSync(key).mode & 0o777, 0o600, 'others can not read it');
  const at = await new Promise(go => {
    const free = net.createServer().listen(0, '127.0.0.1', () => { const {port: one} = free.address(); free.close(() => go(one)); });
  });
  const other = await browser.newPage();
  const untilThere = (condition, ...args) => other.waitForFunction(condition, {timeout: 1200000, polling: 20}, ...args);
  const banner = words => document.getElementById('lost').textContent.includes(words);
  let second = await start('1', '--port', at);
  await other.goto(second.address);
  await other.evaluate(() => { location.hash = '#01_attention/live?--heads=2'; });
  await untilThere(() => document.querySelector('.answer figure svg'));
  await end(second);
  await untilThere(banner, 'run ./tutorial play again');
  await other.evaluate(() => {
    const field = document.getElementById('option--heads');
    field.value = 8;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await untilThere(() => document.querySelector('.state .failed'));
  second = await start('1', '--port', at);
  await untilThere(() => document.getElementById('lost').textContent === '' && !document.querySelector('.state .failed,.answer.old'));
  await other.goto(`http://127.0.0.1:${at}/#01_attention/live?--heads=8`);
  await untilThere(() => document.getElementById('option--heads')?.value === '8');
  await end(second);
  rmSync(key);
  second = await start('1', '--port', at);
  await untilThere(banner, 'open the address that ./tutorial play printed');
  await other.close();
  await end(second);
});

check('a step that passes computes on the page', async () => {
  await go('#01_attention/live');
  writeFileSync(exercise, solution);
  await until('her step', has, 30000, 'Computed with your step 1.2');
  await until('her pictures', () => document.querySelectorAll('.answer:not(.old) figure svg').length >= 1, 10000);
  await page.select('.whose select', 'both');
  // Her step is the solution's, so what they compute is the same.
  await until('both', has, 10000, 'With your steps and with the solutions: the same.');
  assert.match(await page.evaluate(() => document.querySelector('.whose').innerText), /beside it, with the solutions alone/);
  await page.select('.whose select', 'mine');
});

check('a later chapter computes with it, too', async () => {
  writeFileSync(exercise, solution.replace('#include <limits>', '#include <cstdio>\n#include <limits>')
    .replace('    // begin', '    std::puts("this is hers");\n    // begin'));
  await go('#02_masks/live');
  await until('her step', has, 300000, 'Computed with your step 1.2');
  await page.evaluate(() => document.getElementById('one-head').scrollIntoView());
  await until('what it prints', () => document.querySelector('.printed')?.textContent.includes('this is hers'), 20000);
  assert.match(play.said, /\n1\.2 softmax: passed\n/);
});

check('with --solutions her steps compute nothing', async () => {
  const second = await start('--solutions'), at = second.address.port;
  for (let i = 0; i < 600 && !second.said.includes('is ready'); ++i) await wait(100);
  await wait(4000);  // in which her program would be linked
  const Cookie = await cookieOf(second.address);
  const told = JSON.parse((await request('/api/state', {at, headers: {Cookie}})).text);
  assert.equal(told.solutions, true);
  assert.equal(told.steps.find(one => one.id === '1.2').state, 'passed');
  assert.deepEqual(told.chapters.filter(one => one.mine), []);
  const report = await request('/api/ask?chapter=01_attention&mine=1', {at, method: 'POST', headers: {Cookie}, body: '{"section":"by-hand"}'});
  assert.match(report.text, /"result"/);
  assert(!report.text.includes('this is hers'));
  await end(second);
  await go('#01_attention/live');
});

check('a mistake is named, and the solution computes again', async () => {
  writeFileSync(exercise, solution.replace('exp(x - largest)', 'exp(x)'));
  await until('failed', has, 30000, '1.2 softmax fails');
  await until('its cause, on the live page', () => document.querySelector('.whose .said')?.textContent.includes('Likely cause'), 20000);
  await until('the solutions', has, 5000, 'Computed with the solutions');
  await go('#code/01_attention');
  await until('the cause', has, 5000, 'Likely cause');
  await page.evaluate(() => [...document.getElementById('1.2').querySelectorAll('button')].find(one => one.textContent === 'a hint').click());
  await until('a hint', has, 10000, 'Compute the softmax of (1, 2)');
});

check('the lesson has the state of each step, and the code page a bar, a filter and folds', async () => {
  await go('#01_attention/lesson');
  await until('the step in its lesson', () => document.getElementById('step-1.2')?.innerText.includes('Likely cause'), 10000);
  const box = await page.evaluate(() => {
    const step = document.getElementById('step-1.2');
    return {above: step.parentElement.previousElementSibling.textContent, words: step.innerText,
      editor: [...step.querySelectorAll('a')].map(one => one.href).find(one => one.startsWith('vscode:'))};
  });
  assert.match(box.above, /^1\.2 softmax/);
  assert.match(box.words, /✗ Your step · failed/);
  assert.equal(box.editor, `vscode://file${encodeURI(exercise)}`);
  await go('#code');
  await until('the bar', () => document.querySelector('progress')?.max > 40, 5000);
  assert.match(await page.evaluate(() => document.getElementById('page').innerText), /0 of \d+ steps pass/);
  await page.select('#page select', 'those that fail');
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.step')].map(one => one.id)), ['1.2']);
  await page.select('#page select', 'all steps');
  assert(await page.evaluate(() => document.querySelectorAll('details').length > 10));
  await go('#code/01_attention');
});

check('a chapter that is done says what she built, and one page says it of all', async () => {
  const pass = () => page.evaluate(async () => {
    const {state, changes} = await import('./state.js');
    for (const one of state.steps) one.state = 'passed';
    changes.dispatchEvent(new Event('change'));
  });
  await go('#01_attention/lesson');
  await until('the lesson', has, 5000, 'who is tired?');
  await pass();
  assert.match(await page.evaluate(() => document.getElementById('page').innerText),
    /✓ All 6 steps of this chapter pass\. Now you can write multi-head attention.*\n+You built attention_loops, softmax.*\n+See it run with your steps · Go on: 02 Masks/s);
  await go('#built/all');
  await until('her head', () => document.querySelector('#page figure svg'), 60000);
  for (let i = 0; i < 9 && !(await page.evaluate(() => /All \d\d steps pass/.test(document.getElementById('page').innerText))); ++i) await pass(); // news may come between
  assert.match(await page.evaluate(() => document.getElementById('page').innerText), /All \d\d steps pass, about 1\d hours.*01 Attention: attention_loops/s);
  await until('her loss and her text', () => document.getElementById('training') && document.querySelector('.tokens'), 300000);
  await go('#code/01_attention');
});

check('an error of the compiler stands there with its line', async () => {
  writeFileSync(exercise, solution.replace('exp(x - largest)', 'exq(x - largest)'));
  await until('the error', has, 30000, 'exq');
  assert.match(await page.evaluate(() => document.getElementById('page').innerText), /softmax\.cpp:\d+/);
  await until('its state', () => document.querySelector('.step.does-not-compile h3')?.innerText.startsWith('✗'), 10000);
});

check('a crash and an endless loop take nothing down', async () => {
  writeFileSync(exercise, solution.replace('return exponentials', 'int* nowhere = nullptr; *nowhere = 1; return exponentials'));
  await until('the crash', has, 60000, 'CRASHED');
  writeFileSync(exercise, solution.replace('return exponentials', 'for (volatile int i = 0;; i = i) {} return exponentials'));
  await until('it is being checked', has, 10000, 'checking');
  writeFileSync(exercise, solution);  // saved again: the check before ends
  await until('it passes', () => [...document.querySelectorAll('.step.passed')].length === 1, 60000);
});

check('a thousand requests at once', async () => {
  const Cookie = await cookieOf();
  const all = await Promise.all(Array.from({length: 1000}, () => request('/api/ask?chapter=01_attention', {method: 'POST',
    headers: {Cookie}, body: '{"section":"by-hand","options":{}}'}).catch(error => ({text: error.code}))));
  const answered = all.filter(one => one.text.includes('"result"') || one.text.includes('"error"')).length;
  assert(answered + all.filter(one => ['ECONNRESET', 'EPIPE'].includes(one.text)).length === 1000);
  assert(answered > 100, `${answered} answers`);
  assert.equal((await request('/api/state', {headers: {Cookie}})).status, 200);
});

check('clients that are silent or read nothing keep no others waiting', async () => {
  const Cookie = await cookieOf(), head = `Host: 127.0.0.1:${port}\r\nCookie: ${Cookie}\r\n`;
  const post = `POST /api/ask?chapter=01_attention HTTP/1.1\r\n${head}`, body = '{"section":"trained-head","html":true}';
  const halves = ['', 'GET /api/st', post, `${post}Content-Length: 1000\r\n\r\n{"section":`];
  let open = 0;
  const sockets = [...halves, `${post}Content-Length: ${body.length}\r\n\r\n${body}`].flatMap(words => Array.from({length: 40}, () => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(words));
    if (words.endsWith('}')) return socket.pause();  // it reads nothing
    ++open;
    return socket.resume().on('close', () => --open);
  }));
  sockets.forEach(one => one.on('error', () => {}));
  await wait(200);
  for (let i = 0; i < 5; ++i) assert.equal((await request('/api/state', {headers: {Cookie}})).status, 200);
  assert(open > 0, 'others are answered before these are given up');
  for (let i = 0; i < 200 && open > 0; ++i) await wait(100);
  assert.equal(open, 0, 'they are given up');
  sockets.forEach(one => one.destroy());
});

check('requests that no page makes are refused, and nothing else is asked of the program', async () => {
  const Cookie = await cookieOf();
  const ask = (body, more = {}) => request('/api/ask?chapter=01_attention', {method: 'POST', headers: {Cookie, ...more}, body});
  const deep = `{"section":${'['.repeat(100000)}${']'.repeat(100000)}}`;
  assert.equal((await ask(deep)).status, 400, 'brackets in brackets');
  assert.equal((await ask('{"section":"by-hand","options":{"--seed":[1]}}')).status, 400);
  assert.match((await ask(JSON.stringify({section: 'é'.repeat(400000)}))).text, /there is no such section/);
  assert.equal((await ask('{"cancel":1}')).status, 400);
  assert.equal((await ask('{}', {'Transfer-Encoding': 'chunked'})).status, 411);
  assert.match((await ask('{"section":"by-hand"}')).text, /"result"/);
});

check('a program that is killed begins again', async () => {
  execFileSync('pkill', ['-9', '-f', `${root}/build/release/bin/01_attention.* --request`]);
  await wait(200);
  await go('#01_attention/live');
  await until('the sections', () => document.querySelectorAll('.answer figure svg').length >= 1, 10000);
});

check('a check whose runner is killed says so, and the next one works', async () => {
  await go('#code/01_attention');
  writeFileSync(exercise, `${solution}// a change\n`);
  await until('it is being checked', has, 10000, 'checking');
  execFileSync('pkill', ['-9', '-f', `${root}/build/tools/bin/tutorial_runner .* check 1.2 `]);
  await until('the sentence', has, 10000, 'ended before it was complete');
  writeFileSync(exercise, solution);
  await until('it passes', () => [...document.querySelectorAll('.step.passed')].length === 1, 60000);
});

check('no page has a serious finding of axe, in light and dark, wide and narrow', () => Promise.all(
  // What does not depend on colours and widths is asked once.
  [[1300, 'light', {}], [400, 'dark', {runOnly: ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']}]]
    .map(async ([width, scheme, rules]) => {
    const other = await browser.newPage();
    other.on('pageerror', error => errors.push(error.message));
    await other.setViewport({width, height: 900});
    await other.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
    await other.goto(`${address.origin}/`);
    await other.evaluate(readFileSync(axe, 'utf8'));
    for (const hash of ['#01_attention/lesson', '#01_attention/live', '#code/01_attention', '#way/all', '#write/all', '#built/all', '#text/file?path=docs%2Fglossary.md']) {
      await other.evaluate(to => { location.hash = to; }, hash);
      await other.waitForNetworkIdle({idleTime: 150, concurrency: 1});  // one asks for news all the time
      const found = await other.evaluate(some => window.axe.run({resultTypes: ['violations'], ...some}), rules);
      const serious = found.violations.filter(one => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map(one => `${one.id}: ${one.nodes[0].html.slice(0, 120)} (${one.nodes.length})`), [], `${hash} ${scheme}`);
      const over = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 1) await other.screenshot({path: `${root}/build/too_wide.png`});
      assert(over <= 1, `${hash} at ${width} px is ${over} px too wide`);
    }
    await other.close();
  })));

check('./tutorial pages writes whole links, the same each time, and loses nothing', async () => {
  const write = () => spawnSync('./tutorial', ['pages', site, '1', '--no-install'], {cwd: root, encoding: 'utf8'});
  const texts = () => Object.fromEntries(readdirSync(site, {recursive: true, withFileTypes: true}).filter(one => one.isFile())
    .map(one => join(one.parentPath ?? one.path, one.name)).map(file => [relative(site, file), readFileSync(file, 'latin1')]));
  rmSync(site, {recursive: true, force: true});
  assert.equal(write().status, 0);
  const files = texts(), marks = {};
  for (const [name, html] of Object.entries(files)) marks[name] = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(one => one[1]));
  for (const name of ['index.html', '01_attention.html', '12_many_texts_deeper.html', '01_attention_live.html', 'docs-glossary.html'])
    assert(files[name], `${name} is missing`);
  let links = 0;
  for (const [name, html] of Object.entries(files).filter(([one]) => one.endsWith('.html')))
    for (const [, target] of html.replace(/<pre.*?<\/pre>/gs, '').matchAll(/<[^>]+\s(?:href|src)="([^"]*)"/g)) {
      const [file, mark] = decodeURI(target).split('#');
      if (/^(https?|mailto|data):/.test(target)) continue;
      assert(files[file || name] !== undefined, `${name} links to ${target}`);
      assert(!mark || marks[file || name].has(mark), `${name} links to ${target}`);
      ++links;
    }
  assert(links > 1000, `${links} links`);
  const bytes = Object.values(files).reduce((sum, one) => sum + one.length, 0);
  assert(bytes < 4e6, `${bytes} bytes, and the answers of twelve chapters are not among them`);
  assert.equal(write().status, 0);
  assert.deepEqual(texts(), files);
  writeFileSync(`${site}/mine`, '');
  const refused = write();
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /mine was not written by \.\/tutorial pages/);
  assert.deepEqual(texts(), {...files, mine: ''});
});

check('a written page works as a file: search, recorded answers, formulas; axe finds nothing', async () => {
  const other = await browser.newPage(), asked = [];
  other.on('pageerror', error => errors.push(error.message));
  other.on('request', one => { if (!/^(file|data|blob):/.test(one.url())) asked.push(one.url()); });
  const see = (what, ...words) => other.waitForFunction(what, {timeout: 20000}, ...words);
  for (const [width, scheme] of [[1300, 'light'], [400, 'dark']]) {
    await other.setViewport({width, height: 900});
    await other.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
    for (const name of ['index', '01_attention', '01_attention_live', 'docs-glossary']) {
      await other.goto(`file://${site}/${name}.html`);
      await see(() => ![...document.querySelectorAll('[data-section]')].some(one => !one.hasChildNodes()));
      await other.evaluate(readFileSync(axe, 'utf8'));
      const found = await other.evaluate(() => window.axe.run({resultTypes: ['violations'], preload: false}));
      const serious = found.violations.filter(one => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map(one => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`), [], `${name} ${scheme}`);
      assert(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than ${width} px`);
    }
  }
  await other.goto(`file://${site}/01_attention.html`);
  assert(await other.evaluate(() => document.querySelectorAll('.katex').length) > 3);
  await other.click('figure a.live');
  await see(() => location.pathname.endsWith('01_attention_live.html') && location.hash && document.querySelector('figure svg'));
  await other.select('#choice', 'The cat sat on the mat because it was soft');
  await see(() => /of 58 words: mat/.test(document.getElementById('page').innerText));
  await other.type('#search', 'SOFTM by hand');
  await see(() => document.querySelector('#found a'));
  await other.keyboard.press('Tab');
  await Promise.all([other.waitForNavigation(), other.keyboard.press('Enter')]);
  assert.match(await other.evaluate(() => document.getElementById('page').innerText), /softmax/i);
  assert.deepEqual(asked, [], 'a page asks the network');
  await other.close();
});

check('the page logs no error', async () => assert.deepEqual(errors.filter(one => !/status of 404|ERR_/.test(one)), []));

check('Ctrl-C ends all that was started', async () => {
  await end(play);
  await wait(300);
  assert.equal(left(), '', 'processes are left');
});

let failed = 0;
for (const [name, body] of checks) {
  const from = Date.now();
  try {
    await body();
    console.log(`ok      ${name} (${Date.now() - from} ms)`);
  } catch (error) {
    ++failed;
    text = await page.evaluate(() => document.getElementById('page')?.innerText ?? '').catch(() => '');
    console.log(`FAILED  ${name}\n${error.stack.split('\n').slice(0, 6).join('\n')}\n  The page begins: ${text.slice(0, 300)}`);
  }
}
writeFileSync(exercise, stub);
await browser.close();
if (play.exitCode === null) play.kill('SIGKILL');
process.exit(failed > 0 ? 1 : 0);
