import { type Html, sheet } from '../../../../platform/html';

/** The style of a report: the rules that may be of something in it. Pages of other kinds have theirs. */
export function styleFor(body: Html): string {
  const used = new Set(
    body.text.match(/(?<= class=")[^"]+/g)?.flatMap((names) => names.split(' ')),
  );
  return `${sheet}${own}`.replace(/[^{}]+\{[^{}]*\}/g, (rule) => {
    const [selectors = ''] = rule.split('{');
    // What stands in :is(), :not() and :has() does not count.
    const each = selectors.replace(/\([^()]*\)/g, '').split(',');
    const isUsed = each.some((one) =>
      (one.match(/(?<=\.)[a-z][\w-]*/g) ?? []).every((name) => used.has(name)),
    );
    return isUsed ? rule : '';
  });
}

/** What the report needs beside the sheet of all pages. */
const own = `h4{font-size:12.5px;font-weight:600;color:var(--dim);margin:1rem 0 .2rem}
.grid>*{min-width:0}.tiles+.grid{row-gap:0}.sheet .tbl small{display:block}
.share{display:block;min-width:5rem}.share .track{fill:var(--edge)}td:has(.share){width:18%}
.names{font-size:12.5px}tr:has(.names)>*{vertical-align:top}tr:has(.names)>:first-child{min-width:11rem}.annex{border-top:1px solid var(--edge);margin-top:2rem}
article.card,details.card{margin:.7rem 0}h3[id^=case]{font-family:ui-monospace,"SF Mono",Consolas,monospace}
summary h3{display:inline}details>article{margin-top:.6rem}details pre{max-height:none}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:0 1.6rem}.pair>*{min-width:0}
.line,.headers{font:12.5px/1.45 ui-monospace,"SF Mono",Consolas,monospace}.line{font-weight:600}.headers{list-style:none;padding:0;margin:.2rem 0;color:var(--dim)}
.passed h3{margin:1.1rem 0 .2rem}.passed h3:first-child{margin-top:0}
.passed dl{grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:.5rem 1.2rem}.passed dt{color:inherit;font:12.5px/1.7 ui-monospace,"SF Mono",Consolas,monospace}
@media (max-width:42rem){.passed dl{display:block}.passed dt{padding-top:.5rem}.c7 .stack tr{grid-template-columns:minmax(0,1fr)}.c7 .stack :is(.n,.nw,.badge){white-space:normal}}
@media print{.top>div{padding-bottom:.6rem}.sheet{break-before:page}.annex{border:0;margin:0}section{margin-top:1rem}.sheet>section:first-child{margin-top:0}
.tiles{grid-template-columns:repeat(4,minmax(0,1fr));gap:.6rem}.tile{padding:.5rem .7rem}.tile b{font-size:18px}.tile>span:first-child{font-size:10px}.tile>span a::after{content:none}
.badge,small,.names,h4,thead th,footer{font-size:10px}.sheet .tbl{line-height:1.3}.sheet .tbl :is(th,td){padding:.12rem .35rem}.sheet .tbl small{display:inline}.sheet :is(thead th,.tbl small,.names){font-size:9px}td:has(.share){width:3rem;min-width:0}.share{min-width:2.4rem}
h3{font-size:11px}.sh,.sh+p,h3,h4,.line{break-after:avoid}tr:has(.names){break-inside:auto}tr:has(.names)>:first-child{min-width:9rem}details.card{margin:.3rem 0;padding:.4rem .9rem}dl{break-inside:avoid}code,pre,.line,.headers{font-size:9px}pre,.notice{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.pair{grid-template-columns:1fr 1fr}article.card,.card.passed{break-inside:auto}.passed h3{margin:.5rem 0 0}.passed dl{display:block;break-inside:auto}.passed dd{display:none}.passed dt{display:inline;font-size:9px}.passed dt:not(:nth-last-child(2))::after{content:', '}}
`;
