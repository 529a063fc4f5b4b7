import { baseStyle } from '../../../../platform/html';

/** The style of the report, which is light on paper. */
export const style = `${baseStyle}
:root { --passed: var(--good); --failed: var(--bad); --inconclusive: var(--warn); --excepted: light-dark(#5a4a9c, #c0b3f2);
  --exceptedback: light-dark(#f3f1fa, #211d33); --bar: light-dark(#6c8ebf, #6489bf); }
body { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main, footer { max-width: 62rem; padding: 0 1.5rem; }
header { display: block; padding-top: 3rem; }
footer { margin: 3.5rem auto 2.5rem; color: var(--dim); font-size: .85rem; overflow-wrap: anywhere; }
footer p { border-top: 1px solid var(--line); padding-top: 1rem; margin: 0; }
p { margin: .5rem 0; }
a { text-underline-offset: .15em; text-decoration-thickness: 1px; }
.kind { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .3rem 2rem; margin: 0; color: var(--dim); font-size: .9rem; }
.kind span:first-child { text-transform: uppercase; letter-spacing: .12em; font-size: .8rem; font-weight: 600; }
h1 { font-size: 2.1rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; margin: .3rem 0 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; font-weight: 650; letter-spacing: -.005em; margin: 3rem 0 .6rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; font-weight: 650; margin: 1.8rem 0 .3rem; }
h4 { font-size: .85rem; font-weight: 600; color: var(--dim); margin: 1rem 0 .25rem; }
small { display: block; font-size: .85rem; line-height: 1.4; font-weight: 400; color: var(--dim); }
.passed { color: var(--passed); } .failed { color: var(--failed); } .inconclusive { color: var(--inconclusive); } .excepted { color: var(--excepted); }
.none, .untried { color: var(--dim); }
.outcome { border-left: 5px solid; border-radius: 3px; padding: .9rem 1.3rem 1rem; margin: 0 0 1.4rem; }
.outcome.whole { background: var(--goodback); border-color: var(--passed); }
.outcome.failed { background: var(--badback); border-color: var(--failed); }
.outcome.unrun, .outcome.partial { background: var(--warnback); border-color: var(--inconclusive); }
.outcome p { color: var(--text); margin: 0; overflow-wrap: anywhere; }
.outcome .word { font-size: 1.6rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; }
.outcome.whole .word { color: var(--passed); } .outcome.failed .word { color: var(--failed); } :is(.outcome.unrun, .outcome.partial) .word { color: var(--inconclusive); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1px; list-style: none; padding: 0; margin: 0 0 1rem;
  background: var(--line); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.tiles li { background: var(--paper); padding: .8rem .8rem .9rem; }
.tiles small { font-size: .78rem; letter-spacing: -.005em; }
.tiles strong { font-size: 1.9rem; line-height: 1.25; font-weight: 600; font-variant-numeric: tabular-nums; margin-right: .4rem; }
table { font-size: .95rem; }
th, td { padding: .5rem 1.3rem .5rem 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .85rem; vertical-align: bottom; }
tbody th, tfoot th { color: var(--text); font-weight: 500; white-space: normal; }
tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
td p { margin: 0; }
section[aria-labelledby=all] table { table-layout: fixed; min-width: 46rem; }
section[aria-labelledby=all] th:first-child { width: 30%; overflow-wrap: anywhere; }
section[aria-labelledby=all] th:nth-child(3) { width: 6rem; }
section[aria-labelledby=all] th:nth-child(4) { width: 7.5rem; }
section[aria-labelledby=untried] td:last-child, .names { overflow-wrap: anywhere; font-size: .85rem; }
section[aria-labelledby=untried] td:last-child { min-width: 18rem; }
.annex { margin-top: 4rem; }
details > article { margin: .6rem 0 1.2rem; } details > summary { padding: .35rem 0; overflow-wrap: anywhere; }
svg { display: block; }
svg.bar { margin-top: .5rem; border-radius: 4px; }
rect.passed { fill: var(--passed); } rect.failed { fill: var(--failed); } rect.inconclusive { fill: var(--inconclusive); } rect.excepted { fill: var(--excepted); } rect.untried { fill: var(--line); }
dl { grid-template-columns: 7rem 1fr; gap: .3rem 1rem; margin: .7rem 0; }
article { border: 1px solid var(--line); border-left: 4px solid; border-radius: 4px; padding: 1rem 1.3rem 1.2rem; margin: 1.1rem 0; }
article.failed { border-left-color: var(--failed); } article.inconclusive { border-left-color: var(--inconclusive); }
article.excepted { border-left-color: var(--excepted); }
article > * { color: var(--text); }
article h3 { font: 600 1.05rem/1.4 ui-monospace, "SF Mono", Consolas, monospace; margin: 0 0 .35rem; overflow-wrap: anywhere; }
article h4 { color: var(--dim); }
.tags { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; margin: 0 0 .6rem; font-size: .9rem; }
.tag { border: 1px solid var(--line); border-radius: 99px; padding: 0 .6rem; font-size: .82rem; line-height: 1.5rem; }
.tag.failed { background: var(--badback); border-color: currentcolor; } .tag.inconclusive { background: var(--warnback); border-color: currentcolor; }
.tag.excepted { background: var(--exceptedback); border-color: currentcolor; }
.message { font-weight: 600; overflow-wrap: anywhere; }
.reason { background: var(--exceptedback); border-radius: 4px; padding: .5rem .8rem; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1.6rem; }
.pair > * { min-width: 0; }
.line, .headers { font: 13px/1.4 ui-monospace, monospace; }
.line { font-weight: 600; overflow-wrap: anywhere; margin: 0 0 .3rem; }
.headers { list-style: none; padding: 0; margin: 0 0 .4rem; color: var(--dim); overflow-wrap: anywhere; }
pre { padding: .6rem .8rem; }
.note { font-size: .85rem; margin: .2rem 0; }
figure { margin: 1.2rem 0; } figcaption { font-size: .9rem; font-weight: 600; margin-bottom: .4rem; }
svg.times { width: 100%; height: auto; }
svg.times rect { fill: var(--bar); }
svg.times text { fill: var(--dim); font: 11px system-ui, sans-serif; text-anchor: middle; }
svg.times line { stroke: var(--line); }
summary { color: var(--dim); font-size: .9rem; }
@page { margin: 14mm 15mm; }
@media print {
  :root { color-scheme: light; }
  html { font-size: 11px; } body { font-size: 1rem; }
  header, main, footer { max-width: none; padding: 0; } main { padding-bottom: 0; } footer { margin: 1rem 0 0; }
  h2 { margin-top: 1.6rem; }
  section[aria-labelledby=groups] small { display: inline; margin-left: .5rem; font-size: .78rem; }
  section[aria-labelledby=groups] thead th { font-size: .75rem; }
  section[aria-labelledby=groups] :is(th, td) { padding: .2rem .6rem .2rem 0; }
  svg.bar { width: 40px; margin-top: .3rem; }
  h2, h3, h4, figcaption, .tags, .kind { break-after: avoid; }
  tr, dl, .outcome, .tiles, figure, .line { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  section[aria-labelledby=all] table { min-width: 0; }
  code, pre, .line, .headers { font-size: 9px; }
  .pair { grid-template-columns: 1fr 1fr; }
  th, td { padding: .3rem .8rem .3rem 0; }
  a { color: inherit; text-decoration: none; }
  .sheet { break-before: page; } .annex { margin-top: 0; } .sheet > section:first-child h2 { margin-top: 0; }
  details:not([open]) > summary { list-style: none; } section[aria-labelledby=all] details:not([open]) { display: none; }
  .outcome, .tag, .reason, pre, rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
