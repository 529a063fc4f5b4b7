import { join } from 'node:path';
import { readPackageFiles } from '../../../../platform/package/files';

/** The SQL of the migrations, by the path below migrations/. */
export const packed = readPackageFiles(join(__dirname, 'migrations'), '.sql');
