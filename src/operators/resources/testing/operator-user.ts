// The operator of a test's world works as a user with the permissions that `vouch rights` prints, and no others: every test of this room
// is also a test that they suffice.
import { serviceModel } from '#aws'
import { AwsClients, type CredentialsProvider, inProcessTransport, staticCredentials } from '#aws/client'
import { type Clock, seededRandom } from '#base'
import { rightsPolicy } from '#cloud'
import type { Aws } from '#emulator'
import { type CloudRightsOptions, cloudRights } from '../cloud-rights.ts'

/** One user for each world, made when the first operator has to sign; its making is not among the calls of the test. */
export function operatorUser(aws: Aws, clock: Clock, options: CloudRightsOptions): CredentialsProvider {
  return {
    get: signal => {
      const made = users.get(aws) ?? makeUser(aws, clock, options).get(signal)
      users.set(aws, made)
      return made
    },
  }
}

const users = new WeakMap<Aws, ReturnType<CredentialsProvider['get']>>()

const userName = 'resources-operator'

/** Whether it is a call by which the user was made. */
export function isOfUser({ parameters }: { readonly parameters: Readonly<Record<string, unknown>> }): boolean {
  return parameters['UserName'] === userName || parameters['PolicyName'] === userName
}

function makeUser(aws: Aws, clock: Clock, options: CloudRightsOptions): CredentialsProvider {
  const admin = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(9),
  })
  const iam = admin.for({ model: serviceModel('iam'), region: 'us-east-1' })
  const PolicyDocument = JSON.stringify(rightsPolicy(cloudRights(options)))
  return {
    get: async () => {
      await iam.call('CreateUser', { UserName: userName, Path: '/test/' })
      const made = await iam.call('CreatePolicy', { PolicyName: userName, Path: '/test/', PolicyDocument })
      const { Arn } = made['Policy'] as { readonly Arn: string }
      await iam.call('AttachUserPolicy', { UserName: userName, PolicyArn: Arn })
      const { AccessKey } = await iam.call('CreateAccessKey', { UserName: userName })
      const { AccessKeyId, SecretAccessKey } = AccessKey as { readonly AccessKeyId: string; readonly SecretAccessKey: string }
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
    },
  }
}
