export { type EngineErrorCode, engineErrors } from './catalogue';
export { type EngineErrorObject, EngineRefusedError } from './refusal';
