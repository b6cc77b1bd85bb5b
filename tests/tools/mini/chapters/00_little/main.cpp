// chapters/00_little/main.cpp · the program of the chapter: prints, and leaves a picture in the folder --plots
//
//     00_little [--plots FOLDER] [--whose WORDS] [--beside FOLDER] [--read] [--crash] [TEXT]
//     00_little --list …
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chapters/00_little/little.hpp"

static void draw(const char* folder) {
    char name[4096];
    snprintf(name, sizeof name, "%s", folder);
    if (char* slash = strrchr(name, '/')) {
        *slash = '\0';
        mkdir(name, 0777);
    }
    mkdir(folder, 0777);
    const char* files[][2] = {{"index.html", "<figure id=\"little\">\n"}, {"little.svg", "a picture"}};
    for (const auto& file : files) {
        snprintf(name, sizeof name, "%s/%s", folder, file[0]);
        if (FILE* out = fopen(name, "w")) {
            fputs(file[1], out);
            fclose(out);
        }
    }
}

int main(int count, char** arguments) {
    if (count > 2 && strcmp(arguments[1], "--list") == 0) {  // only checks the others
        if (strcmp(arguments[2], "--wrong") != 0) return 0;
        fprintf(stderr, "00_little: unknown argument --wrong\n");
        return 2;
    }
    const char* plots = nullptr;
    const char* text = "nothing";
    for (int i = 1; i < count; ++i) {
        if (strcmp(arguments[i], "--plots") == 0 && i + 1 < count) {
            plots = arguments[++i];
        } else if (strcmp(arguments[i], "--whose") == 0 || strcmp(arguments[i], "--beside") == 0) {
            printf("%s ", arguments[++i]);
        } else if (strcmp(arguments[i], "--crash") == 0) {
            abort();
        } else if (strcmp(arguments[i], "--read") == 0) {
            char line[64];
            if (fgets(line, sizeof line, stdin) != nullptr) printf("read %s", line);
        } else {
            text = arguments[i];
        }
    }
    try {
        const int twice = double_it(4), half = halve_it(4);
        printf("twice 4 is %d, half of it %d, and %s\n", twice, half, text);
    } catch (const NotImplemented& error) {
        fprintf(stderr, "not started: step %s\n", error.step);
        return 1;
    }
    if (plots != nullptr) draw(plots);
}
