import { figureStyle } from './figure-style';
import { tokenStyle } from './tokens';

/** The one style of the pages that {@link frame} frames: light or dark, on a screen of any width and on paper. */
export const sheet = `${tokenStyle}@view-transition{navigation:auto}
*{box-sizing:border-box}
html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--text);background:var(--paper);overflow-wrap:anywhere}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
p{margin:.4rem 0}small{font-size:12.5px;color:var(--dim);font-weight:400}
code,.mono,textarea[readonly]{font:12.5px/1.45 ui-monospace,"SF Mono",Consolas,monospace}bdi{unicode-bidi:isolate}time{white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--card);padding:.4rem .8rem}
.dim{color:var(--dim)}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.nw{white-space:nowrap}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.top>div,main,footer{max-width:78rem;margin:0 auto;padding:0 1.5rem}
.top>div{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem 1.4rem;padding-top:.55rem}
.brand{display:flex;align-items:center;gap:.55rem;font-weight:650;min-width:0;max-width:100%}.brand .s1{fill:var(--s1)}
.brand svg{flex:none}.brand small{border-left:1px solid var(--edge);padding-left:.6rem}
.find{flex:1 1 16rem;max-width:30rem;display:flex;margin:0;position:relative}
.find input{flex:1;min-width:0;padding-left:2rem;border-radius:99px}.find svg{position:absolute;left:.75rem;top:.72rem}
.who{margin-left:auto;color:var(--dim);font-size:12.5px}
.top nav{flex-basis:100%;display:flex;flex-wrap:wrap;gap:0 1.5rem}
.top nav a{color:var(--dim);text-decoration:none;padding:.5rem 0 .55rem;border-bottom:2px solid transparent;white-space:nowrap}
.top nav a:hover{color:var(--text)}.top nav a[aria-current]{color:var(--text);font-weight:600;border-color:var(--link)}
.pill{display:inline-block;background:var(--badback);color:var(--bad);border-radius:99px;padding:0 .45rem;font-size:12px;font-weight:600}
main{padding-top:1.3rem;padding-bottom:2rem}
.crumb{margin:0 0 .2rem;font-size:12.5px;color:var(--dim)}
.head{display:flex;flex-wrap:wrap;align-items:flex-end;gap:.5rem 1.2rem;margin:0 0 1rem}
.head>div:first-child{flex:1 1 20rem}
h1{font-size:22px;line-height:1.25;font-weight:650;letter-spacing:-.012em;margin:0}
h2{font-size:15.5px;font-weight:650;letter-spacing:-.005em;margin:0}
h3{font-size:14px;font-weight:600;margin:0}
section{margin:1.6rem 0 0}.sh{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline;margin:0 0 .6rem}.sh>:first-child{flex:1}
.card,.fig,.tile,.rows,.tbl{background:var(--card);border:1px solid var(--line);border-radius:10px}
.card{padding:1rem 1.15rem}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(12,minmax(0,1fr))}
.c4{grid-column:span 4}.c5{grid-column:span 5}.c6{grid-column:span 6}.c7{grid-column:span 7}.c8{grid-column:span 8}
.state{display:flex;gap:.2rem 1.2rem;align-items:center;flex-wrap:wrap;border-radius:10px;padding:.8rem 1.15rem;border:1px solid;margin:0 0 1rem}
.state>b{font-size:17px;font-weight:650;display:flex;align-items:baseline;gap:.6rem}.state>span{color:var(--text)}.state .end{margin-left:auto}
.state.good,.state.warn,.state.bad,.state.note{border-color:color-mix(in srgb,currentcolor 28%,transparent)}
.good{color:var(--good);background:var(--goodback)}.warn{color:var(--warn);background:var(--warnback)}.bad{color:var(--bad);background:var(--badback)}.note{color:var(--note);background:var(--noteback)}
.state p{margin:.1rem 0 0;color:var(--text);flex-basis:100%}
.tiles{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));margin:0;padding:0;list-style:none}
.tile{padding:.85rem 1.15rem .6rem;display:flex;flex-direction:column;overflow:hidden;text-decoration:none;color:var(--text)}
a.tile:hover{border-color:var(--edge)}
.tile>span:first-child{color:var(--dim);font-size:12.5px}.tile>span a{color:var(--dim);text-decoration:none}.tile>span a::after{content:'\\a0›'}.tile>span a:hover{color:var(--link)}
.tile b{font-size:25px;line-height:1.25;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}.tile .nw{white-space:normal}
.tile b small{font-size:13px;letter-spacing:0}
.tile.alarm{border-color:color-mix(in srgb,var(--bad) 40%,var(--line))}.tile.alarm b{color:var(--bad)}
.badge{display:inline-flex;align-items:center;gap:.35rem;border-radius:99px;padding:.05rem .6rem;font-size:12.5px;font-weight:550;white-space:nowrap}
.badge.plain{background:var(--sunk);color:var(--dim)}
.badge svg,.state>b svg{flex:none;fill:currentcolor}
.rows{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:max-content minmax(0,1fr) minmax(0,1fr) max-content max-content max-content}
.rows>li{display:grid;grid-template-columns:subgrid;grid-column:1/-1;gap:0 1.3rem;align-items:center;padding:.6rem 1.15rem;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0}.rows>li:hover{background:var(--sunk)}.rows>li>div small{display:block}
.rows>li>.amt{font-size:15px;font-weight:600}.rows>li>.amt small{display:inline}.rows form{justify-content:end}.rows.three{grid-template-columns:max-content minmax(0,1fr) max-content}
${figureStyle}
.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}.g{fill:var(--goodsolid)}.w{fill:var(--warnsolid)}.b{fill:var(--badsolid)}
.scroll{overflow-x:auto}
.tbl{overflow:hidden}.tbl table{margin:0}
table{border-collapse:collapse;width:100%}.tbl .scroll{border-radius:10px}
th,td{text-align:left;vertical-align:middle;padding:.5rem .75rem;border-top:1px solid var(--line)}
.tbl th:first-child,.tbl td:first-child{padding-left:1.15rem}.tbl th:last-child,.tbl td:last-child{padding-right:1.15rem}
thead th{color:var(--dim);font-size:12.5px;font-weight:550;border-top:0;background:var(--card);white-space:nowrap}
tbody th{font-weight:500}tbody tr:hover>*{background:var(--sunk)}
th.n,td.n{text-align:right}tfoot th,tfoot td{font-weight:650;border-top:2px solid var(--edge)}
dl+.state,p+.state{margin-top:.9rem}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1.2rem;margin:0}dt{color:var(--dim)}dd{margin:0}
form{display:flex;flex-wrap:wrap;gap:.6rem .7rem;align-items:end;margin:0}
label{display:flex;flex-direction:column;gap:.15rem;color:var(--dim);font-size:12.5px;max-width:100%}label.wide{flex:1 1 100%}label+small{color:var(--bad)}
input,select,textarea,button,.btn{font:inherit;line-height:1.4;padding:.38rem .65rem;color:var(--text);background:var(--card);border:1px solid var(--edge);border-radius:7px;max-width:100%}
input,select{height:2.3rem}textarea{width:100%}button,.btn{cursor:pointer;font-weight:550;text-decoration:none;display:inline-block;white-space:nowrap}button:hover,.btn:hover{background:var(--sunk)}
.main{background:var(--link);border-color:var(--link);color:var(--card)}.main:hover{background:var(--link);filter:brightness(1.08)}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:0;padding:0}.chips a,.chips b{display:block;border:1px solid var(--edge);border-radius:99px;padding:.12rem .7rem;font-size:12.5px;font-weight:500;text-decoration:none;color:var(--text);background:var(--card)}.chips b,.chips a[aria-current]{background:var(--noteback);border-color:var(--note);color:var(--note);font-weight:600}
.chips .badge{padding:0;background:none}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}.tools:has(>ul+ul){column-gap:1.5rem}.picked{margin:0 0 1rem}
.lanes{table-layout:fixed}.lanes td,.lanes th{padding:.45rem .6rem;border:0;height:3.4rem}.lanes thead th{height:auto;border-bottom:1px solid var(--line)}
.lanes tbody+tbody tr:first-child>*{border-top:1px solid var(--line)}.lanes tbody tr:hover>*{background:none}
.lanes .t{width:7.6rem;padding-left:1.15rem}.lanes .r{width:21%}.lanes .a{width:7%;padding:0}.lanes .k{width:25%}.lanes .k .badge{margin-left:-.1rem}
.lanes .bal{padding:0;height:3.4rem;position:relative}.lanes .bal>span{text-align:right;position:absolute;right:1.15rem;top:50%;translate:0 -50%;font-variant-numeric:tabular-nums;background:var(--card);padding-left:.4rem}
.lanes .lane{background:var(--sunk)}.lanes .bal:has(small+small){height:3.9rem}
.lanes .bal>span small{display:block;line-height:1.2}.step{position:absolute;inset:0 5.9rem 0 .8rem;width:calc(100% - 6.7rem);height:100%;overflow:visible}.step line{stroke:var(--s3);stroke-width:1.5px}.step .move{stroke-width:4px}.step .move.g{stroke:var(--goodsolid)}.step .move.s1{stroke:var(--s1)}.step .move.s2{stroke:var(--s2)}.step circle{stroke:var(--card);stroke-width:2px}
.arrow{display:block;overflow:visible}.arrow line{stroke:var(--s3);stroke-width:1.5px}.arrow path{fill:var(--s3)}.arrow.b line{stroke:var(--badsolid);stroke-dasharray:4 3}.arrow.b path{fill:var(--badsolid)}.arrow.s4 line{stroke:var(--s4)}.arrow.s4 path{fill:var(--s4)}
.lanes.talk td,.lanes.talk th{height:2.6rem;padding:.25rem .5rem}.lanes.talk .t{padding-left:1.15rem}.talk .lane{width:5.5rem;text-align:center}.talk .m{line-height:1.35;text-align:center}.lanes.talk td.m{padding:.25rem 0}.talk .m>span{padding:0 .9rem;display:block}.talk .way{display:none}
.gap td{height:1.7rem;text-align:center;color:var(--dim);font-size:12.5px;background:var(--sunk)}
.next{display:grid;grid-template-columns:1.6rem minmax(0,1fr);gap:.5rem .6rem;margin:.6rem 0 0;padding:0;list-style:none;counter-reset:s}.next li{display:contents}.next li::before{counter-increment:s;content:counter(s);width:1.5rem;height:1.5rem;border-radius:50%;background:var(--sunk);color:var(--dim);font-size:12.5px;font-weight:600;text-align:center;line-height:1.5rem}
.picks{display:grid;background:var(--card);grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));border:1px solid var(--line);border-radius:10px;overflow:hidden;list-style:none;margin:0;padding:0}
.picks li{border:1px solid var(--line);border-width:0 1px 1px 0;margin:0 -1px -1px 0;padding:.7rem .9rem .8rem 1.15rem;display:flex;gap:.8rem;align-items:center}.picks li>div{flex:1;min-width:0}.picks small{display:block;line-height:1.4}details.card+details.card{margin-top:.6rem}details.card>summary+*,.chips+.picks,.picks+details{margin-top:.8rem}
.empty{text-align:center;padding:2rem 1rem;color:var(--dim)}.empty b{display:block;color:var(--text);font-weight:600}
pre{font:12.5px/1.5 ui-monospace,"SF Mono",Consolas,monospace;white-space:pre-wrap;background:var(--sunk);border-radius:7px;padding:.7rem .9rem;margin:.5rem 0 0}
summary{cursor:pointer}details.card>summary{font-weight:550}details pre{max-height:40rem;overflow:auto}.notice{border-radius:10px;padding:.6rem 1.15rem;margin:0 0 1rem}form.card{margin:0 0 1rem}.tbl+.card,.card+.rows,.card+.pairs,.card+.card,.tbl+.tbl,.tbl+.one,.card+.one,section+.card{margin-top:1rem}.tbl+h3,.card+h3{margin:1rem 0 .5rem}form+.tools{margin-top:.8rem}.card+.state{margin-top:1rem}.card>form+form,.card dl+form{margin-top:.8rem}.card ul.plain{list-style:none;margin:0;padding:0}ul.plain>li+li{border-top:1px solid var(--line);margin-top:.9rem;padding-top:.9rem}
footer{color:var(--dim);font-size:12.5px;padding-bottom:2rem}footer p{border-top:1px solid var(--line);padding-top:.8rem;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
@media (min-width:64rem){.stack td{min-width:4.75rem}.stack :has(>a>bdi){min-width:7.2rem}}
@media (max-width:64rem){.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}.c4{grid-column:span 6}.c5,.c6,.c7,.c8{grid-column:span 12}}
@media (max-width:42rem){.top>div,main,footer{padding-left:1rem;padding-right:1rem}svg .wide{display:none}.who{font-size:12px;white-space:normal;text-align:right}.tbl:not(.stack) table:not(.lanes) :is(th,td){padding:.45rem .4rem}.tbl:not(.stack) table:not(.lanes) tr>:first-child{padding-left:.9rem}.tbl:not(.stack) table:not(.lanes) tr>:last-child{padding-right:.9rem}.find{order:3;flex-basis:100%;max-width:none}.top nav{order:4;gap:0 1.2rem}
form[method=get]>label{flex:1 1 42%;min-width:0}.c4{grid-column:span 12}.tiles{gap:.7rem}.tile{padding:.7rem .85rem .45rem}.tile b{font-size:18px}
.rows{display:block}.rows>li{display:grid;grid-template-columns:minmax(0,1fr) max-content;gap:.15rem .8rem;padding:.7rem .9rem}.rows .span{grid-column:1/-1}.rows .n.dim{text-align:left}
.stack thead{display:none}.stack tbody,.stack tfoot{display:block}.stack tr{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);grid-auto-flow:dense;gap:0 1.4rem;padding:.6rem .9rem;border-top:1px solid var(--line)}.stack tbody tr:first-child{border-top:0}
.stack tr>*,.tbl.stack tr>*{display:flex;justify-content:space-between;align-items:baseline;gap:.6rem;padding:.08rem 0!important;border:0;white-space:normal}.stack tr>.n{white-space:nowrap;overflow-wrap:normal;flex-wrap:wrap;gap:0 .6rem;justify-content:flex-end}.stack tr>.n::before{margin-right:auto}.lines tr{grid-template-columns:minmax(0,1fr)}.two tr>*{grid-column:1}.two tr>.n{grid-column:2}.pairs tr>:first-child,.stack tr>.bar,.stack tr>.says{grid-column:1/-1}.stack tr>.says{justify-content:flex-start}.stack tr>:first-child{font-weight:600;display:block}.two tr>:not(.n)::before{display:none}.stack tr>td>small{text-align:right}.stack tr>[data-l]::before{content:attr(data-l);color:var(--dim);font-weight:400;flex:none}.stack td.n{text-align:left}.stack td.bar{display:block;width:auto}.stack td:empty{display:none}.stack .badge{white-space:normal;overflow-wrap:break-word}.stack td:not(.n):has(>.badge,>span>.badge)::before{content:none}
.lanes{table-layout:auto}.lanes thead{display:none}.lanes,.lanes tbody{display:block}.lanes tr{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);padding:.2rem 0}.lanes td{height:auto;padding:.15rem .9rem;width:auto!important}.lanes td.t{grid-column:1/-1;padding-left:.9rem}.lanes .a{display:none}.lanes .bal{grid-column:1/-1;height:2.9rem}.lanes .bal:not(:has(span)){display:none}.lanes .gap tr{padding:0}.lanes .gap td{grid-column:1/-1;padding:.2rem}.lanes tbody+tbody tr:first-child>*{border:0}.lanes tbody+tbody{border-top:1px solid var(--line)}.lanes .lane{background:none}
.talk .lane{display:none}.lanes.talk tr{grid-template-columns:7.2rem minmax(0,1fr)}.lanes.talk td{height:auto}.lanes.talk .t{grid-column:1;padding:.15rem 0 .15rem .9rem}.talk td.m{grid-column:2;text-align:left}.talk td.m:empty,.talk .arrow{display:none}.talk .m>span{padding:0 .9rem 0 0}.talk .way{display:block;color:var(--dim);font-size:12.5px}
.one .stack tr{grid-template-columns:minmax(0,1fr)}.one .stack tr>td{justify-content:flex-start}.one .stack tr>[data-l]::before{flex:0 0 6rem}.sh>:first-child{flex:1 1 12rem}
dl{grid-template-columns:fit-content(6.5rem) minmax(0,1fr)}dd time,.stack td time{white-space:normal}.stack td time{overflow-wrap:normal}.stack:not(.two) tr>:has(>time){grid-column:1/-1}.state .end{margin-left:0}.picks li{align-items:flex-start}}
@media (max-width:23rem){.tiles{grid-template-columns:minmax(0,1fr)}form[method=get]>label{flex-basis:100%}.stack tr{grid-template-columns:minmax(0,1fr)}.two tr>.n{grid-column:1}}
@media (pointer:coarse){.chips a,.chips b{padding-block:.4rem}summary{padding-block:.44rem}}
@media (prefers-reduced-motion:reduce){@view-transition{navigation:none}}
@page{margin:14mm}
@media print{body{font-size:11px;line-height:1.35}h1{font-size:17px}h2{font-size:13px}small,code,footer,.mono,.badge,.tile>span,dt,.dim,thead th{font-size:10px!important}.state{padding:.4rem .9rem;margin:0 0 .6rem}.state>b{font-size:14px}.card{padding:.5rem .9rem}.top nav,.find,form,.tools,.data,.skip,.noprint,footer a{display:none!important}.top{border:0}main,.top>div,footer{max-width:none;padding:0}.card,.fig,.rows>li,tr,.tile{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}a{color:inherit;text-decoration:none}svg,.badge,.state,.lane{print-color-adjust:exact;-webkit-print-color-adjust:exact}.scroll{overflow:visible}.tiles{grid-template-columns:repeat(4,minmax(0,1fr));gap:.5rem}.tile{padding:.5rem .7rem}.tile b{font-size:15px}.lanes td,.lanes .bal{height:2rem;padding-top:.1rem;padding-bottom:.1rem}.lanes .r{width:30%}section{margin-top:.7rem}}
`;
