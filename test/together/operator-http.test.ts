import { together } from './together';

together('operator/express', 'operator/http', 'operator/telemetry');
