import { baseStyle } from '../../../platform/html';

/** The style of every page. */
export const style = `${baseStyle}
body { overflow-wrap: anywhere; }
bdi { unicode-bidi: isolate; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .8rem; padding: 0; margin: 1rem 0; }
.cards > li { list-style: none; border: 1px solid var(--line); border-left-width: 6px; border-radius: 4px; padding: .6rem .9rem; }
.cards strong { display: block; font-size: 1.25rem; }
.cards .bad, .cards .good { border-left-color: currentColor; }
th, td { overflow-wrap: normal; }
td { min-width: 5rem; }
tbody + tbody { border-top: 2px solid var(--dim); }
time { white-space: nowrap; }
textarea { font: inherit; border-color: var(--dim); max-width: 100%; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
`;
