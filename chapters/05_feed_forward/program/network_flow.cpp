// chapters/05_feed_forward/program/network_flow.cpp · both networks as boxes and arrows
#include "chapters/05_feed_forward/program/sections.hpp"

namespace tfs {

FlowFigure network_flow() {
    const FlowKind step = FlowKind::feed_forward;
    FlowPanel plain{.title = "feed-forward network"}, gated{.title = "SwiGLU"};
    plain.boxes = {{"x", "(batch, seq, 512)", FlowKind::input},
                   {"up: linear", "(batch, seq, 2048)", step},
                   {"activation", "(batch, seq, 2048)", step},
                   {"down: linear", "(batch, seq, 512)", step}};
    gated.boxes = {{"x", "(batch, seq, 512)", FlowKind::input},
                   {"gate: linear", "(batch, seq, 1365)", step},
                   {"silu", "(batch, seq, 1365)", step},
                   {"times, entry by entry", "(batch, seq, 1365)", step},
                   {"down: linear", "(batch, seq, 512)", step}};
    gated.inputs = {{3, "up(x): linear", "(batch, seq, 1365)"}};
    return {
        .name = "flow",
        .title = "The two networks, from bottom to top, at d_model 512",
        .panels = {plain, gated},
        .caption =
            "Left: widen, bend each number, narrow. Right: SwiGLU has a third matrix; one result decides how "
            "much of the other passes. With 1365 hidden units in place of 2048, both have about as many "
            "weights."};
}

}  // namespace tfs
