export {
  badge,
  card,
  chips,
  empty,
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
export { facts, framed, type PageLinks, section } from './layout';
export { type Page, pageFile, sendPage } from './page';
export { sheet } from './sheet';
export { baseStyle } from './style';
export { groupedTable, ofTexts, stackedTable, table, type TableRow } from './table';
export { Html, html, type HtmlPart } from './template';
export { ageOf, agoOf, amountText, count, counted, id, money } from './text';
export { tokens } from './tokens';
export { isZone, timesIn, type ZonedTimes, zoneNames } from './zone';
