import { reference } from '../contestants/list';
import { usualConnections } from '../series';
import type { Summary } from './summary';

const width = 800;
const labelWidth = 340;
const maxBar = 290;
const rowHeight = 26;
const top = 40;

/** On a light ground and on a dark one alike. */
const style = `text{font:13px system-ui,sans-serif;fill:#57606a}.b{fill:#8c959f}.k{fill:#2f81f7}
@media(prefers-color-scheme:dark){text{fill:#9198a1}.b{fill:#656c76}}`;

/** Bars of the calls a second in the closed loop, over the usual connections; null where that was not measured. */
export function chartOf(summaries: readonly Summary[]): string | null {
  const rows = summaries.filter(
    ({ series, connections }) => series === 'closed' && connections === usualConnections,
  );
  const most = Math.max(...rows.map(speedOf));
  if (rows.length === 0 || !(most > 0)) return null;
  const height = top + rows.length * rowHeight + 10;
  const title = `Calls a second [debit, credit, end], ${usualConnections} connections; ratio to ${reference}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>${style}</style>
<text x="10" y="22">${escape(title)}</text>
${rows.map((row, at) => barOf(row, top + at * rowHeight, most)).join('\n')}
</svg>
`;
}

function barOf(row: Summary, y: number, most: number): string {
  const { letter, title, toReference } = row;
  const speed = speedOf(row);
  const length = Math.max(1, Math.round((speed / most) * maxBar));
  const ratio = toReference === null ? '' : ` (${toReference.median.toFixed(2)})`;
  const kind = title.startsWith('kit') ? 'k' : 'b';
  const text = y + 14;
  return (
    `<text x="10" y="${text}">${letter} ${escape(title)}</text>` +
    `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${length}" height="18" rx="2"/>` +
    `<text x="${labelWidth + length + 8}" y="${text}">${speed.toFixed(0)}${ratio}</text>`
  );
}

function speedOf({ callsPerSecond }: Summary): number {
  return callsPerSecond?.median ?? 0;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
