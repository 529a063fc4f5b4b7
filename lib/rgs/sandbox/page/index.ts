export { createPageHandler } from './handler';
export type { PageAction, PageSource } from './source';
