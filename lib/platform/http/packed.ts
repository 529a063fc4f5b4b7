import { join } from 'node:path';
import { readPackageFiles } from '../package/files';

/** The documents of `openapi/`, by their file names. The build makes them: import it where one is asked for. */
export const packed = readPackageFiles(join(__dirname, '../../../openapi'), '.json');
