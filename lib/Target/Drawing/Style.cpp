//===- Style.cpp - How the HTML page looks --------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"

// The media query and the rule for print can't share the colours otherwise.
#define LIGHT_COLOURS                                                          \
  "--bg:#fff;--fg:#1f2328;--muted:#59636e;--line:#d1d9e0;--soft:#f6f8fa;"      \
  "--accent:#0969da;--edge:#6e7781;--good:#1a7f37;--bad:#c9302c;--fair:#"      \
  "9a6700;"                                                                    \
  "--kernel:#f6f8fa;--kernel-line:#9aa4ae;--block:#eaf2ff;--block-line:#"      \
  "5c93e0;"                                                                    \
  "--loop:#e5f7ea;--loop-line:#46a863;--thread:#f7ecfd;--thread-line:#a371d8;" \
  "--box:#fff;--op:#fff3cf;--op-line:#c79a22;--move:#cfe1ff;"                  \
  "--move-line:#4b82d4;--acc:#bdebcb;--acc-line:#2f9150;"
#define DARK_COLOURS                                                           \
  "--bg:#0d1117;--fg:#e6edf3;--muted:#9198a1;--line:#3d444d;--soft:#151b23;"   \
  "--accent:#4493f8;--edge:#8b949e;--good:#3fb950;--bad:#f85149;--fair:#"      \
  "d29922;"                                                                    \
  "--kernel:#151b23;--kernel-line:#59636e;--block:#0f1f38;--block-line:#"      \
  "3d73bd;"                                                                    \
  "--loop:#0f2a1a;--loop-line:#2f8f4e;--thread:#25153a;--thread-line:#8957c8;" \
  "--box:#0d1117;--op:#3a2f10;--op-line:#a8841f;--move:#16345f;"               \
  "--move-line:#4b82d4;--acc:#14462a;--acc-line:#3fa560;"

const llvm::StringLiteral
    mirage::kPageStyle(":root{color-scheme:light dark;" LIGHT_COLOURS "}\n"
                       "@media (prefers-color-scheme:dark){:root{" DARK_COLOURS
                       "}}\n"
                       R"css(*{box-sizing:border-box}
body{margin:0 auto;padding:18px 24px 60px;max-width:1600px;background:var(--bg);color:var(--fg);
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:24px;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:20px;margin:36px 0 8px;padding-top:20px;border-top:1px solid var(--line);overflow-wrap:anywhere}
h3{font-size:16px;margin:18px 0 6px}
h4{font-size:14px;margin:14px 0 6px}
p{margin:6px 0;max-width:130ch;overflow-wrap:anywhere}
code,pre,svg text{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}
code{font-size:.92em}
.note{color:var(--muted)}
.lead{font-size:16px}
table{border-collapse:collapse;font-size:14px}
th,td{padding:4px 12px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
td{overflow-wrap:anywhere}
th{font-weight:600}
th[scope=row]{font-weight:500}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.whole,.fields th,.costs th{white-space:nowrap}
.fields td.note{font-size:13px}
.rows td{white-space:nowrap}
.rows th{vertical-align:bottom}
.scroll{overflow-x:auto;max-width:100%}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(480px,100%),1fr));gap:8px 40px;align-items:start}
.columns>div{min-width:0}
@media (min-width:1100px){.columns.top{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
.bar{display:inline-block;width:72px;height:9px;background:var(--line);border-radius:3px;overflow:hidden}
.bar span{display:block;height:100%;background:var(--accent)}
.better{color:var(--good);font-weight:600}
.worse{color:var(--bad);font-weight:600}
.verdict{display:inline-block;padding:1px 10px;border-radius:12px;border:1px solid currentColor;font-weight:600}
.verdict.proved{color:var(--good)}
.verdict.accepted{color:var(--fair)}
.verdict.refuted{color:var(--bad)}
.verdict.unknown{color:var(--muted)}
.drawings{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start}
figure{margin:0;min-width:0}
figcaption{font-weight:600;margin-bottom:6px}
figure .scroll{padding-bottom:4px}
svg.mugraph{display:block;width:100%;height:auto}
svg text{font-size:12px;fill:var(--fg)}
svg .t{font-weight:700}
svg .v{text-anchor:end;fill:var(--muted)}
svg .l{fill:var(--fg)}
.frame .b{fill:var(--f);stroke:var(--s);stroke-width:1.5}
.frame .h{fill:var(--s);fill-opacity:.18;stroke:none}
.frame[data-d] .h{fill:color-mix(in srgb,var(--s) 22%,var(--f));fill-opacity:1}
.kernel-graph{--f:var(--kernel);--s:var(--kernel-line)}
.block-graph{--f:var(--block);--s:var(--block-line)}
.loop{--f:var(--loop);--s:var(--loop-line)}
.loop .b{stroke-dasharray:7 4}
.thread-graph{--f:var(--thread);--s:var(--thread-line)}
.node .b{fill:var(--box);stroke:var(--edge)}
.node.operator .b{fill:var(--op);stroke:var(--op-line)}
.node.graph-defined .b{stroke-width:2.5}
.node.transfer .b{fill:var(--move);stroke:var(--move-line)}
.node.accumulator .b{fill:var(--acc);stroke:var(--acc-line)}
.node.yield .b{fill:var(--thread);stroke:var(--thread-line)}
.node.constant .b,.node.note .b{stroke-dasharray:3 3}
.edge path{fill:none;stroke:var(--edge);stroke-width:1.3}
.edge .a{fill:var(--edge);stroke:none}
.edge.lit path{stroke:var(--accent);stroke-width:2.4}
.edge.lit .a{fill:var(--accent);stroke:none}
[data-d]{cursor:pointer;outline:none}
[data-d]:hover>rect,[data-d]:focus-visible>rect,[data-d].lit>rect{stroke:var(--accent);stroke-width:2.2}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px;color:var(--muted);margin:8px 0 12px;padding:0;list-style:none}
.legend span{display:inline-block;width:18px;height:12px;border-radius:3px;margin-right:6px;vertical-align:-1px;border:1.5px solid var(--s);background:var(--f)}
.legend .operator{--f:var(--op);--s:var(--op-line)}
.legend .transfer{--f:var(--move);--s:var(--move-line)}
.legend .accumulator{--f:var(--acc);--s:var(--acc-line)}
details{margin:12px 0;border:1px solid var(--line);border-radius:6px;padding:6px 14px;background:var(--soft)}
summary{cursor:pointer;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:10px 0;font-size:14px}
dt{font-weight:600}
dd{margin:0}
pre{font-size:12px;line-height:1.45;overflow-x:auto;margin:10px 0}
#panel{position:fixed;left:0;right:0;bottom:0;max-height:42vh;overflow:auto;padding:10px 60px 12px 28px;background:var(--soft);border-top:2px solid var(--accent);box-shadow:0 -4px 16px #0003}
#panel[hidden]{display:none}
#panel pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font-size:13px}
#panel button{position:absolute;right:18px;top:8px;font-size:20px;line-height:1;padding:4px 10px;border:1px solid var(--line);border-radius:6px;background:var(--bg);color:var(--fg);cursor:pointer}
@media (max-width:640px){dl{grid-template-columns:1fr}body{padding:14px}}
@media print{:root{color-scheme:light;)css" LIGHT_COLOURS R"css(}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{max-width:none;padding:0;font-size:11pt}
#panel,.screen{display:none}
.scroll{overflow:visible}
.rows td:not(.number){white-space:normal}
svg.mugraph{min-width:0!important;max-height:95vh}
figure,tr{break-inside:avoid}
h2,h3,h4{break-after:avoid}
pre{white-space:pre-wrap}}
)css");

const llvm::StringLiteral mirage::kPageScript(R"js((() => {
  const panel = document.getElementById('panel'), text = panel.querySelector('pre');
  let shown = null;
  const hide = () => {
    panel.hidden = true;
    if (shown) shown.classList.remove('lit');
    shown = null;
  };
  const show = (item) => {
    const again = item === shown;
    hide();
    if (again) return;
    shown = item;
    item.classList.add('lit');
    text.textContent = item.querySelector('title').textContent;
    panel.hidden = false;
  };
  panel.querySelector('button').onclick = hide;
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
  for (const svg of document.querySelectorAll('svg.mugraph')) {
    const edges = [...svg.querySelectorAll('.edge')];
    const mark = (item, on) => {
      for (const edge of edges)
        if (item.dataset.n && (edge.dataset.f === item.dataset.n || edge.dataset.t === item.dataset.n))
          edge.classList.toggle('lit', on);
    };
    for (const item of svg.querySelectorAll('[data-d]')) {
      item.addEventListener('click', () => show(item));
      item.addEventListener('keydown', (event) => { if (event.key === 'Enter') show(item); });
      item.addEventListener('mouseenter', () => mark(item, true));
      item.addEventListener('mouseleave', () => mark(item, false));
      item.addEventListener('focus', () => mark(item, true));
      item.addEventListener('blur', () => mark(item, false));
    }
  }
})();
)js");

const llvm::StringLiteral mirage::kPagePanel(
    "<aside id=\"panel\" hidden aria-live=\"polite\"><button type=\"button\" "
    "aria-label=\"Close\">×</button><pre></pre></aside>\n");
