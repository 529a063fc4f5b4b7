export { type Page, pageFile, sendPage } from './page';
export { Html, html, type HtmlPart } from './template';
