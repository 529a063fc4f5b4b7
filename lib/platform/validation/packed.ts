import { join } from 'node:path';
import { readPackageFiles } from '../package/files';

/** The JSON Schemas, by the path below schemas/. */
export const packed = readPackageFiles(join(__dirname, '../../../schemas'), '.json');
