export {
  type JsonDocument,
  type JsonLimits,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from './parse';
export { ExactNumber, type Writable, writeJson } from './write';
