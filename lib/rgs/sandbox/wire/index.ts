export { describe, type Described } from './describe';
export { documentOf } from './signed';
export { maskTokens, shortToken } from './mask';
export { type Checked, createWire, type OpenCall, type Wire } from './record';
