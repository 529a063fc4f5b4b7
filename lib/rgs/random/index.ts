export { drawValues } from './draw';
export { uuidV5 } from './uuid';
