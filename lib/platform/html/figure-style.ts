/** The style of figures: text keeps its size at any width, lines keep their breadth. */
export const figureStyle = `.fig{margin:0;padding:.9rem 1.15rem .8rem;display:flex;flex-direction:column}.grid .fig{height:100%}
.fig figcaption{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin-bottom:.5rem}.fig figcaption>span:first-child{flex:1 1 14rem}.fig figcaption b{font-weight:600}.fig figcaption small{display:block}
.legend{font-size:12.5px;color:var(--dim)}.key{display:inline-block;width:.65rem;height:.65rem;border-radius:3px;margin:0 .3rem 0 .6rem;vertical-align:-.02rem}.key:first-child{margin-left:0}
.chart{display:block;overflow:visible;margin-top:auto;padding-left:2.5rem}.chart text{font:11.5px system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums;fill:var(--dim);paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
.chart line{stroke:var(--line)}.chart .zero{stroke:var(--edge)}
.key.s1{background:var(--s1)}.key.s2{background:var(--s2)}.key.s3{background:var(--s3)}.key.s4{background:var(--s4)}.key.g{background:var(--goodsolid)}.key.w{background:var(--warnsolid)}.key.b{background:var(--badsolid)}
path.ln{fill:none;stroke-width:1.75px;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}.ln.s1{stroke:var(--s1)}.ln.s2{stroke:var(--s2)}.ln.s3{stroke:var(--s3)}.ln.s4{stroke:var(--s4)}.ln.g{stroke:var(--goodsolid)}.ln.w{stroke:var(--warnsolid)}.ln.b{stroke:var(--badsolid)}
.band{fill:var(--s1);opacity:.16}.part{opacity:.45}
.col rect{fill:transparent}.col:hover rect{fill:var(--text);opacity:.06}.col text{text-anchor:end;visibility:hidden;fill:var(--text);font-weight:600;stroke-width:6px}.col:hover text{visibility:visible}
.data{margin-top:.4rem}.data summary{font-size:12.5px;color:var(--dim);width:max-content}.data table{margin-top:.4rem}.data td,.data th+th{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.spark{vertical-align:middle}.tile .spark{width:calc(100% + 2.3rem);height:2.8rem;padding-top:.5rem;margin:auto -1.15rem -.6rem}
.cellbar{display:block;min-width:6rem}.cellbar .track{fill:var(--line)}td.bar{width:34%}`;
