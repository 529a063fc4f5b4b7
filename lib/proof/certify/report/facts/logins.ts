import type { CertificationResult } from '../../outcome/result';

/** The result without the user name and password that an address of the wallet may hold. */
export function withoutLogins(result: CertificationResult): CertificationResult {
  const withLogin = result.urls.filter((url) => plain(url) !== url);
  if (withLogin.length === 0) return result;
  const cleaned = (text: string): string =>
    withLogin.reduce((rest, url) => {
      const bare = url.replace(/\/$/, '');
      return rest.replaceAll(bare, plain(bare));
    }, text);
  return {
    ...result,
    urls: result.urls.map(plain),
    cases: result.cases.map((one) => ({
      ...one,
      message: one.message === null ? null : cleaned(one.message),
      details: one.details.map(cleaned),
      exchange: one.exchange === null ? null : { ...one.exchange, url: cleaned(one.exchange.url) },
      curl: one.curl === null ? null : cleaned(one.curl),
    })),
  };
}

function plain(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1');
}
