export { documentOf, noDocument, type SignedDocument, writtenDocument } from './documents';
export {
  type DecimalText,
  type ExactJson,
  type ExactJsonObject,
  exactRest,
  exactValue,
  isJsonNumber,
  readExactAmount,
  findUnwritable,
  isPlainObject,
} from './exact';
export { MessageFault } from './fault';
export { Fields } from './fields';
export { levelsOf } from './levels';
export { memberText } from './member-text';
export {
  isJsonObject,
  type JsonDocument,
  type JsonLimits,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from './parse';
export { parseBytes } from './parse-bytes';
export { presentIn } from './present';
export { ExactNumber, JsonText, type Writable, writeJson } from './write';
