/** The style that all pages share: light or dark, as the reader's system prefers. Pages add their own after it. */
export const baseStyle = `
:root { color-scheme: light dark; --line: light-dark(#c8ccd2, #444b55); --soft: light-dark(#f3f5f7, #1d2126);
  --text: light-dark(#16191d, #e8eaed); --dim: light-dark(#4b535d, #b3bac4); --paper: light-dark(#fff, #121417);
  --bad: light-dark(#9c1414, #ff9d94); --badback: light-dark(#fdecea, #3a1715);
  --warn: light-dark(#6b4a00, #f3ce6b); --warnback: light-dark(#fff5d6, #33290c);
  --good: light-dark(#0b5d2a, #7fdc9d); --goodback: light-dark(#e8f6ec, #10301b); --link: light-dark(#0b4fa8, #8fc0ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--paper); }
header, main, footer { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
main { padding-bottom: 3rem; }
header { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; padding-top: .8rem; }
header strong { font-size: 1.1rem; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; }
a { color: var(--link); }
a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
h1 { font-size: 1.35rem; margin: 1rem 0 .5rem; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
.dim { color: var(--dim); }
.bad { color: var(--bad); background: var(--badback); }
.warn { color: var(--warn); background: var(--warnback); }
.good { color: var(--good); background: var(--goodback); }
.notice { border: 1px solid var(--line); border-radius: 4px; padding: .5rem .8rem; margin: .8rem 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1.2rem; margin: .5rem 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre, textarea { font: 13px/1.4 ui-monospace, monospace; }
pre, textarea { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); color: var(--text);
  border: 1px solid var(--line); border-radius: 4px; padding: .5rem; margin: .3rem 0; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: .4rem 0; }
label { display: flex; flex-direction: column; color: var(--dim); font-size: .85rem; max-width: 100%; }
input, select, button { font: inherit; padding: .3rem .5rem; color: var(--text); background: var(--soft);
  border: 1px solid var(--dim); border-radius: 4px; max-width: 100%; }
button, summary { cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
