import { readPackageFiles } from '../../../../platform/package/files';

/** The Lua of the scripts, by the path below this folder. */
export const packed = readPackageFiles(__dirname, '.lua');
