import type { Case } from '../../talk/case';
import { amountCases } from './amounts';
import { getBalanceCases } from './get-balance';
import { identifierCases } from './identifiers';
import { replayCases } from './replay';
import { requestFormCases } from './request-form';
import { retentionCases } from './retention';
import { robustnessCases } from './robustness';
import { signatureCases } from './signature';
import { signatureFormCases } from './signature-forms';
import { signedFieldCases } from './signed-fields';
import { spellingCases } from './spelling';
import { tenancyCases } from './tenancy';
import { timestampCases } from './timestamps';

/** Who calls, and in what form: how a message comes, whatever it moves. */
export const transportCases: readonly Case[] = [
  ...signatureCases,
  ...signedFieldCases,
  ...signatureFormCases,
  ...timestampCases,
  ...requestFormCases,
  ...spellingCases,
  ...identifierCases,
  ...amountCases,
  ...getBalanceCases,
  ...tenancyCases,
  ...replayCases,
  ...robustnessCases,
  ...retentionCases,
];
