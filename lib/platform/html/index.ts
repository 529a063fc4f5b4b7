export {
  badge,
  card,
  chips,
  empty,
  facts,
  folded,
  part,
  picks,
  remark,
  steps,
  type Tile,
  tiles,
  type Tone,
  type Verdict,
  verdict,
} from './blocks';
export { field, hidden, select } from './form';
export { frame, head, type NavLink } from './frame';
export { pageFile, sendPage } from './page';
export { sheet } from './sheet';
export { ofTexts, stackedTable, table, type TableRow } from './table';
export { Html, html, type HtmlPart } from './template';
export { ageOf, agoOf, amountText, count, counted, id, inCurrency, money } from './text';
export { tokens } from './tokens';
export { isZone, momentIn, timesIn, type ZonedTimes, zoneNames } from './zone';
