export { describe, type Described } from './describe';
export { documentOf } from './signed';
export { maskTokens } from './mask';
export { type Checked, createWire, type Wire } from './record';
