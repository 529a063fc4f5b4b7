export { memberMeant } from './names';
export { type PostedCall, readRequest, readSettingsQuery, readTokenQuery } from './read';
export { orRefused } from './refuse';
export { writeRequest, writeSettingsQuery } from './write';
