export { ReplayGuard } from './replay-guard';
