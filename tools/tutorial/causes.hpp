// tools/tutorial/causes.hpp · why a check failed: what the step's mistakes come to on the same tests
//
// The program records_01_attention_softmax runs all mistakes of a step and writes their records (tools/verdict/causes.hpp). It is built
// when a check of the step fails for the first time; the records are kept in build/release/records/ with a stamp of all that they
// depend on, and later checks find the causes there.
#pragma once

#include <optional>
#include <vector>

#include "tools/tutorial/session.hpp"
#include "tools/verdict/causes.hpp"

namespace tfs::tutorial {

// Whether mistakes are kept for the step. Other steps' checks say causes themselves.
bool has_mistakes(const Session& session, const steps::Step& step);

// What has to be built so that kept records are those of now; empty where none are kept, or
// causes are not sought.
std::string target_of_kept_records(const Session& session, const steps::Step& step);

// The kept records; none where they are not of what is built now.
std::optional<std::vector<verdict::Known>> kept_mistakes(const steps::Step& step);

// Builds the program and runs the mistakes. None where it can't be built, or doesn't run.
std::optional<std::vector<verdict::Known>> run_mistakes(const Session& session, const steps::Step& step,
                                                        const Stop& stop);

// The same with these two mistakes at once, once they are built: adds their records, and keeps them.
void run_pairs(const steps::Step& step, const std::vector<std::string>& pairs,
               std::vector<verdict::Known>& known, const Stop& stop);

}  // namespace tfs::tutorial
