// What a server's answer to a call comes to.
#pragma once

#include <string>

#include "mediator/call/outcome.h"
#include "mediator/upstream/link.h"
#include "mediator/upstream/pins.h"
#include "mediator/upstream/secrets.h"

namespace tipstaff::upstream {

// `item` was called as `kind`. An answer that has one of `secrets` is kept back. A result
// that is too large, is none of its kind, or is not as the pinned output schema says, is kept back,
// too: the call was made all the same.
//
// A tool's result is passed on as it came. The result of a resource or a prompt, which has no form
// for an error, is {"error": {"code", "message"}} where the server answered with one.
call::Outcome OutcomeOf(const PinnedItem& item, call::Kind kind, const Link::End& end,
                        const Secrets& secrets);

// What is not known, with a note for the operator.
call::Outcome Unknown(std::string note);

}  // namespace tipstaff::upstream
