// An issued certificate with its key, written into a Secret: the certificate and its chain under the key that the manifest names, the private
// key under `tls.key`. ACM gives the key out under a passphrase only; it is a new one each time and ends here.
import { createPrivateKey } from 'node:crypto'
import { textOf } from '../../model/convert.ts'
import { recordOf } from '../calls.ts'
import type { SecretOutput } from '../deviation.ts'

/** As text: letters, digits, `-` and `_`, which ACM takes all of. */
const passphraseBytes = 36

export const acmExport: SecretOutput = {
  alsoKeys: ['tls.key'],
  target: ({ spec, metadata }) => {
    const { name, namespace, key } = recordOf(spec?.['exportTo'])
    if (name === undefined || key === undefined) return undefined
    return { namespace: namespace === undefined || namespace === '' ? (metadata.namespace ?? '') : namespace, name, key }
  },
  // A renewed certificate has another serial number.
  version: ({ status }) =>
    status['status'] === 'ISSUED' && status['type_'] !== 'IMPORTED' && status['serial'] !== undefined
      ? textOf(status['serial'])
      : undefined,
  fetch: async (call, { latest, key, random }) => {
    const passphrase = Buffer.from(random.bytes(passphraseBytes)).toString('base64url')
    const output = await call('ExportCertificate', {
      CertificateArn: latest.arn,
      Passphrase: new TextEncoder().encode(passphrase),
    })
    const { Certificate, CertificateChain, PrivateKey } = output
    const opened = createPrivateKey({ key: textOf(PrivateKey), format: 'pem', passphrase })
    return {
      [key]: joined(textOf(Certificate), textOf(CertificateChain ?? '')),
      'tls.key': opened.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
  },
}

function joined(certificate: string, chain: string): string {
  return certificate === '' || certificate.endsWith('\n') ? certificate + chain : `${certificate}\n${chain}`
}
