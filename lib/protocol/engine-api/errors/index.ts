export { type EngineErrorCode, type EngineErrorEntry, engineErrors } from './catalogue';
export { type EngineErrorObject, EngineRefusedError } from './refusal';
