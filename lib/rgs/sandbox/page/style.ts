import { baseStyle } from '../../../platform/html';

/** The style of every page. */
export const style = `${baseStyle}
pre, textarea { width: 100%; }
form { display: inline-flex; gap: .4rem; margin: .2rem .5rem .2rem 0; }
ul.scenarios { list-style: none; margin: 0; padding: 0; display: grid; gap: .2rem 1.5rem;
  grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); }
ul.scenarios li { display: flex; gap: .4rem; align-items: baseline; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
ul.scenarios form { flex: none; width: 11.5rem; margin-right: 0; }
ul.scenarios button { width: 100%; text-align: left; }
.empty { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin-top: 1.6rem; }
.notice { white-space: pre-line; }
svg.sequence { width: 100%; max-width: 60rem; height: auto; font: 12px ui-monospace, monospace; }
svg.sequence line { stroke: var(--line); }
svg.sequence .arrow { stroke: var(--text); }
svg.sequence .lost { stroke: var(--bad); stroke-dasharray: 4 3; }
svg.sequence text, svg.sequence path { fill: var(--text); }
`;
