/**
 * The page's style. The colours of outcomes are distinguishable with any colour blindness (hues of Okabe and Ito, darkened to a
 * contrast of 3 : 1 against the background). Colour is never the only cue: each outcome has a shape, each verdict a sign and a word.
 * page/ reads the same CSS variables for its charts.
 */
const light = `
  --ground: #f5f6f3; --card: #fff; --ink: #15212a; --soft: #51616c; --faint: #8796a0; --line: #dde2e1; --grid: #e8ecea;
  --accent: #0b5d7f; --accent-soft: #e3eef2; --band: #eef2f1;
  --good: #00704f; --good-soft: #e2f2ec; --bad: #b8390b; --bad-soft: #fbe9e1; --warn: #8a5a00; --warn-soft: #fbf0d9; --open: #51616c; --open-soft: #e9edee;
  --success: #0072b2; --rate: #b86a00; --concurrency: #00805f; --daily: #a63d7f; --unattributed: #7a6a00; --expected: #4b4f9c; --error: #c8440b; --failed: #15212a; --censored: #6b7780;
  --heat-0: #a3cadc; --heat-1: #6aa5c0; --heat-2: #1f6f94; --heat-3: #0b2c44; --shadow: 0 1px 2px rgb(20 40 50 / .06), 0 8px 24px -12px rgb(20 40 50 / .12);`;

const dark = `
  --ground: #0c1317; --card: #141d22; --ink: #e9eff2; --soft: #a5b4bd; --faint: #7b8b95; --line: #28353c; --grid: #202b31;
  --accent: #6cc3e4; --accent-soft: #17303b; --band: #19242a;
  --good: #4fd1a1; --good-soft: #12302a; --bad: #ff8a5c; --bad-soft: #3a1e14; --warn: #f2bf55; --warn-soft: #33270f; --open: #a5b4bd; --open-soft: #222d33;
  --success: #5ab6ea; --rate: #f2ad3d; --concurrency: #35cfa0; --daily: #e88fc4; --unattributed: #d8c95a; --expected: #a9acf5; --error: #ff7d4d; --failed: #fff; --censored: #9aa8b1;
  --heat-0: #24485a; --heat-1: #2b6f8d; --heat-2: #49a9cf; --heat-3: #d9f3ff; --shadow: none;`;

export const pageStyle = `
:root {${light}
  color-scheme: light dark;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) { :root:not([data-print]) {${dark} } }
@media print { :root {${light} } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 var(--sans); font-variant-numeric: tabular-nums; }
main, .top, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
h1 { font-size: clamp(1.85rem, 1.2rem + 2.6vw, 3rem); line-height: 1.1; letter-spacing: -.025em; margin: .35rem 0 .75rem; font-weight: 700; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.25; letter-spacing: -.012em; margin: 0 0 .35rem; font-weight: 650; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0; font-weight: 650; }
p { margin: 0 0 .75rem; }
small { font-size: .85em; color: var(--soft); }
code { font-family: var(--mono); font-size: .86em; background: var(--open-soft); border-radius: .3em; padding: .1em .35em; overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.skip { position: absolute; left: -999rem; top: 0; background: var(--card); padding: .75rem 1rem; z-index: 30; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.skip:focus { left: .5rem; top: .5rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding-top: 1.1rem; padding-bottom: .7rem; }
.top p { margin: 0; }
.brand { display: flex; align-items: center; gap: .55rem; font-weight: 700; letter-spacing: -.01em; }
.logo .water { fill: var(--accent); opacity: .45; }
.logo .dam { fill: var(--accent); }
.run { color: var(--soft); overflow-wrap: anywhere; }
.run b { color: var(--ink); }
nav { position: sticky; top: 0; z-index: 10; background: color-mix(in srgb, var(--ground) 92%, transparent); backdrop-filter: blur(8px); border-bottom: 1px solid var(--line); }
nav ul { display: flex; gap: .1rem; list-style: none; margin: 0 auto; padding: 0 .8rem; max-width: 68rem; overflow-x: auto; scrollbar-width: none; }
nav a { display: block; padding: .65rem .45rem; color: var(--soft); text-decoration: none; white-space: nowrap; font-size: .86rem; border-bottom: 2px solid transparent; }
nav a:hover, nav a[aria-current] { color: var(--ink); border-color: var(--accent); }
section { margin: 2.75rem 0; }
#answer { margin-top: 2.25rem; }
#answer h2 { margin-top: 2.25rem; }
.eyebrow { margin: 0; }
.lead { font-size: clamp(1.05rem, 1rem + .35vw, 1.25rem); color: var(--soft); max-width: 46rem; text-wrap: pretty; overflow-wrap: anywhere; }
.intro { color: var(--soft); max-width: 46rem; text-wrap: pretty; overflow-wrap: anywhere; }
.badge { display: inline-flex; align-items: center; gap: .35em; font-size: .82rem; font-weight: 650; padding: .16em .65em .16em .45em; border-radius: 99px; white-space: nowrap; }
.badge svg { fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.badge.good { color: var(--good); background: var(--good-soft); }
.badge.bad { color: var(--bad); background: var(--bad-soft); }
.badge.warn { color: var(--warn); background: var(--warn-soft); }
.badge.open { color: var(--open); background: var(--open-soft); }
.notice { background: var(--warn-soft); border-left: 4px solid var(--warn); padding: .75rem 1rem; border-radius: .4rem; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); margin: 1.5rem 0 0; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; overflow: hidden; }
.figures > div { padding: .8rem 1rem; box-shadow: 0 0 0 .5px var(--line); }
.figures.columns-3 { grid-template-columns: repeat(3, 1fr); } .figures.columns-5 { grid-template-columns: repeat(5, 1fr); } .figures.columns-6 { grid-template-columns: repeat(6, 1fr); }
.figures dt { font-size: .82rem; color: var(--soft); }
.figures dd { margin: 0; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.02em; font-weight: 650; }
.figures small { font-size: .8rem; }
.cards { list-style: none; margin: .85rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--open); border-radius: .8rem; padding: 1rem 1.15rem 1.05rem; box-shadow: var(--shadow); min-width: 0; }
.card.good { border-top-color: var(--good); } .card.bad { border-top-color: var(--bad); }
.card p { margin: 0 0 .55rem; overflow-wrap: anywhere; } .card .declared { color: var(--soft); font-size: .9rem; }
.card > :last-child { margin-bottom: 0; }
.claims { margin: .5rem 0 0; padding-left: 1.15rem; overflow-wrap: anywhere; } .claims li { margin: .45rem 0; } .claims p { margin: 0 0 .2rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .5rem 0; font-size: .88rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
details { margin-top: .6rem; }
summary { cursor: pointer; color: var(--accent); font-size: .92rem; width: max-content; max-width: 100%; }
summary::marker { color: var(--faint); }
figure { margin: 1rem 0 .5rem; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: 1rem 1.1rem; box-shadow: var(--shadow); }
figcaption { font-size: .88rem; color: var(--soft); } figcaption:not(:empty) { margin-top: .6rem; }
.scroll { overflow-x: auto; container-type: inline-size; margin: .6rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--soft); font-size: .88rem; padding-bottom: .4rem; max-width: 100cqi; }
th, td { text-align: left; padding: .42rem .9rem .42rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
.scroll th:has(code) { min-width: 13.5rem; } .scroll table:not(:has(.words)) tbody th:not(:has(code)) { white-space: nowrap; }
.scroll .words { min-width: 10.5rem; overflow-wrap: anywhere; } .name { display: inline-block; width: max-content; max-width: 16rem; white-space: normal; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: .82rem; border-bottom-width: 2px; }
.right { text-align: right; white-space: nowrap; } .right small { display: block; } .few { color: var(--soft); font-size: .85em; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem .5rem; list-style: none; padding: 0; margin: 0 0 .75rem; font-size: .85rem; color: var(--soft); align-items: center; }
.legend li { display: flex; align-items: center; gap: .35rem; margin-right: .55rem; }
.legend button, .tools button { font: inherit; color: var(--ink); background: none; border: 1px solid var(--line); border-radius: 99px; padding: .2rem .7rem .2rem .5rem; display: inline-flex; align-items: center; gap: .4rem; cursor: pointer; min-height: 1.9rem; }
.legend button:hover, .tools button:hover { border-color: var(--accent); }
.legend button[aria-pressed=false] { color: var(--soft); text-decoration: line-through; } .legend button[aria-pressed=false] canvas { opacity: .3; }
.legend li:has(button) { margin: 0; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0 0; font-size: .85rem; align-items: center; color: var(--soft); }
.tools button[aria-checked=true] { border-color: var(--accent); background: var(--accent-soft); }
.chart { position: relative; min-height: 2rem; } .chart canvas { display: block; }
.chart .plot { outline-offset: 4px; }
.uplot, .uplot *, .uplot *::before, .uplot *::after { box-sizing: border-box; }
.u-select { background: color-mix(in srgb, var(--accent) 16%, transparent); border: solid var(--accent); border-width: 0 1px; }
.u-hz .u-cursor-x { border-color: var(--faint); }
.dots { display: grid; grid-template-columns: 5.2rem minmax(0, 1fr); align-items: center; }
.dots-group { grid-column: 1 / -1; font-weight: 600; font-size: .92rem; padding: .65rem 0 .1rem; }
.dots-label { font-size: .85rem; color: var(--soft); }
svg text { fill: var(--soft); font: .75rem var(--sans); }
.dots-plot, .dots-axis, .curves-plot { width: 100%; display: block; overflow: visible; }
.grid { stroke: var(--grid); stroke-width: 1; } .range { stroke: var(--faint); stroke-width: 1.5; } .most { stroke: var(--faint); stroke-width: 1.5; }
.interval { fill: var(--success); stroke: var(--success); stroke-width: 1; fill-opacity: .22; } .unbounded { stroke: var(--success); stroke-width: 3; stroke-dasharray: 1 7; stroke-linecap: round; opacity: .5; }
.service .shape { fill: var(--success); stroke: var(--card); stroke-width: 1; } .response .shape { fill: var(--card); stroke: var(--daily); stroke-width: 2; } .response .interval, .response .unbounded { stroke: var(--daily); } .response .interval { fill: var(--daily); }
.differences { grid-template-columns: minmax(8rem, 20rem) minmax(0, 1fr); column-gap: .8rem; } .differences .dots-label { overflow-wrap: anywhere; line-height: 1.25; padding: .25rem 0; }
.slack { fill: var(--band); stroke: var(--faint); stroke-width: 1; } .zero { stroke: var(--faint); stroke-width: 1.5; }
.worse .shape { fill: var(--bad); } .worse .interval { stroke: var(--bad); fill: var(--bad); } .better .shape { fill: var(--good); } .better .interval { stroke: var(--good); fill: var(--good); } .same .shape { fill: var(--success); } .untold .shape { fill: var(--card); stroke: var(--soft); stroke-width: 2; } .untold .interval { stroke: var(--soft); fill: var(--soft); }
.curves { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr); }
.curves-scale { display: flex; flex-direction: column; justify-content: space-between; font-size: .75rem; color: var(--soft); margin: -.55rem 0; padding-right: .6rem; text-align: right; }
.curve { fill: none; stroke-width: 2.5; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.curve.stream { stroke: var(--success); } .curve.poll { stroke: var(--rate); stroke-dasharray: 7 4; } .curve.server { stroke: var(--soft); stroke-dasharray: 2 4; } .curve.first { stroke: var(--concurrency); stroke-dasharray: 12 3 3 3; }
.band { fill: var(--rate); fill-opacity: .2; stroke: var(--rate); stroke-width: 1; vector-effect: non-scaling-stroke; }
#tip { position: fixed; z-index: 20; left: 0; top: 0; max-width: min(22rem, calc(100vw - 1.5rem)); background: var(--ink); color: var(--ground); font-size: .85rem; line-height: 1.4; padding: .5rem .7rem; border-radius: .5rem; pointer-events: none; overflow-wrap: anywhere; visibility: hidden; }
#tip.shown { visibility: visible; } #tip b { display: block; } #tip span { display: block; }
.progress { display: grid; grid-template-columns: fit-content(10rem) minmax(4rem, 1fr) fit-content(14rem); gap: .35rem .8rem; margin: 1rem 0 0; padding: 0; list-style: none; font-size: .9rem; }
.progress li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; }
progress { width: 100%; height: .55rem; border: 0; border-radius: 99px; overflow: hidden; background: var(--line); accent-color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); } progress::-webkit-progress-value { background: var(--accent); } progress::-moz-progress-bar { background: var(--accent); }
progress.full::-webkit-progress-value { background: var(--rate); } progress.full::-moz-progress-bar { background: var(--rate); }
#live-lost, #live-other, #live-over, [data-live] #live-on { display: none; }
[data-live=on] #live-on, [data-live=lost] #live-lost, [data-live=other] #live-other, [data-live=over] #live-over { display: block; }
[data-live=other] #live-phases, [data-live=lost] #live-phases { display: none; }
footer { overflow-wrap: anywhere; color: var(--soft); font-size: .88rem; padding-top: 1.5rem; padding-bottom: 3rem; border-top: 1px solid var(--line); margin-top: 3rem; }
@media (max-width: 40rem) {
  body { font-size: .97rem; }
  main, .top, footer { padding-left: 1rem; padding-right: 1rem; }
  figure { margin-left: -.5rem; margin-right: -.5rem; padding: .8rem .65rem; }
  .figures[class] { grid-template-columns: repeat(2, 1fr); }
  .dots, .differences { grid-template-columns: minmax(0, 1fr); } .dots .dots-label:empty, .differences .dots-label:empty { display: none; }
  .dots .dots-axis:has(:nth-child(6)) :nth-child(even) { display: none; }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .35rem; }
  .scroll table:has(.words) :is(thead, caption) { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .scroll table:has(.words) :is(tbody, tr, th, td) { display: block; border: 0; padding: 0; text-align: left; min-width: 0; white-space: normal; }
  .scroll table:has(.words) tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .scroll table:has(.words) [data-title]::before { content: attr(data-title) ": "; color: var(--soft); font-size: .82rem; }
  th, td { padding-right: .7rem; }
}
@media print {
  @page { margin: 14mm; }
  body { background: none; font-size: 10pt; }
  main, .top, footer { max-width: none; padding: 0; }
  nav, .skip, .tools, #tip { display: none; }
  section { margin: 1.4rem 0; }
  .card, figure, .figures, tr { break-inside: avoid; box-shadow: none; } h2, .intro { break-after: avoid; }
  .scroll { overflow: visible; container-type: normal; } table { font-size: 8.5pt; } thead th { font-size: 8pt; } .intro { break-inside: avoid; } .right { white-space: normal; } th, td { padding-right: .5rem; } caption, thead { break-after: avoid; }
  summary { list-style: none; } figure { padding: .6rem; } .chart canvas { max-width: 100%; }
  .legend button { border: 0; padding-left: 0; }
}
`;
