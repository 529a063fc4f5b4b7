import { readPackageFiles } from '../../../platform/package/files';

/** The program for who checks a proof, by its name. */
export const packed = readPackageFiles(__dirname, '.py');
