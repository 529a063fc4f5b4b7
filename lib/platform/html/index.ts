export { field, hidden, select } from './form';
export { facts, framed, type PageLinks, section } from './layout';
export { type Page, pageFile, sendPage } from './page';
export { baseStyle } from './style';
export { groupedTable, table, type TableRow } from './table';
export { Html, html, type HtmlPart } from './template';
