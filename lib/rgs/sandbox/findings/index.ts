export { serviceFindings } from './catalogue';
export { createFindingStore, type Findings, type Noticed } from './store';
