/** The style of every page; light and dark by what the reader's system prefers. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#c8ccd2, #444b55); --soft: light-dark(#f3f5f7, #1d2126);
  --text: light-dark(#16191d, #e8eaed); --dim: light-dark(#4b535d, #b3bac4); --paper: light-dark(#fff, #121417);
  --bad: light-dark(#9c1414, #ff9d94); --badback: light-dark(#fdecea, #3a1715);
  --warn: light-dark(#6b4a00, #f3ce6b); --warnback: light-dark(#fff5d6, #33290c);
  --good: light-dark(#0b5d2a, #7fdc9d); --link: light-dark(#0b4fa8, #8fc0ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--paper); }
header, main, footer { max-width: 84rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; padding-top: .8rem; }
header strong { font-size: 1.1rem; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; }
a { color: var(--link); }
a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
h1 { font-size: 1.35rem; margin: 1rem 0 .5rem; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p.dim, td.dim, span.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre, textarea { font: 13px/1.4 ui-monospace, monospace; }
pre, textarea { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border: 1px solid var(--line);
  border-radius: 4px; padding: .5rem; margin: .3rem 0; width: 100%; color: var(--text); }
form { display: inline-flex; flex-wrap: wrap; gap: .4rem; align-items: end; margin: .2rem .5rem .2rem 0; }
label { display: inline-flex; flex-direction: column; color: var(--dim); font-size: .85rem; }
input, select, button { font: inherit; padding: .25rem .5rem; color: var(--text); background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; }
button { cursor: pointer; }
button.danger { color: var(--bad); border-color: var(--bad); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
ul.scenarios { list-style: none; margin: 0; padding: 0; display: grid; gap: .2rem 1.5rem;
  grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); }
ul.scenarios li { display: flex; gap: .4rem; align-items: baseline; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
ul.scenarios form { flex: none; width: 11.5rem; margin-right: 0; }
ul.scenarios button { width: 100%; text-align: left; }
.empty { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin-top: 1.6rem; }
.bad { color: var(--bad); background: var(--badback); }
.warn { color: var(--warn); background: var(--warnback); }
.good { color: var(--good); }
.notice { border: 1px solid var(--line); border-radius: 4px; padding: .5rem .8rem; margin: .8rem 0; overflow-wrap: anywhere; white-space: pre-line; }
summary { cursor: pointer; }
svg.sequence { width: 100%; max-width: 60rem; height: auto; font: 12px ui-monospace, monospace; }
svg.sequence line { stroke: var(--line); }
svg.sequence .arrow { stroke: var(--text); }
svg.sequence .lost { stroke: var(--bad); stroke-dasharray: 4 3; }
svg.sequence text { fill: var(--text); }
svg.sequence path { fill: var(--text); }
`;
