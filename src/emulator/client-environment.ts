// What a client needs to know to reach the emulator as its admin, as the environment variables that SDKs and the AWS CLI read.
import type { Aws } from './aws.ts'

export interface ClientEnvironmentOptions {
  readonly address: string
  readonly region: string
  /** The file of the certificate that clients of `--tls` are to trust. */
  readonly authority?: string | undefined
}

export function clientEnvironment(
  aws: Pick<Aws, 'adminCredentials'>,
  { address, region, authority }: ClientEnvironmentOptions,
): Readonly<Record<string, string>> {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return {
    AWS_ENDPOINT_URL: address,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(authority === undefined ? {} : { AWS_CA_BUNDLE: authority, NODE_EXTRA_CA_CERTS: authority }),
  }
}
