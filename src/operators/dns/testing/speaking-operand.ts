// Two accounts, and an operand between them whose log a test writes.
import { pods } from '#kube'
import { operandNamespace } from './dns-world.ts'
import { type Accounts, roleArn, twoAccounts } from './two-accounts.ts'

/** Of the operand of `blue`. */
export const speakingPod: { readonly namespace: string; readonly name: string } = {
  namespace: operandNamespace,
  name: 'external-dns-blue-0',
}

export interface SpeakingOperand {
  readonly accounts: Accounts
  /** A line of its log, and time in which it is read. */
  say(line: string): Promise<void>
}

export async function speakingOperand(): Promise<SpeakingOperand> {
  const accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const { client, world } = accounts.world
  const labels = { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': 'blue' }
  const made = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...speakingPod, labels },
    spec: { containers: [{ name: 'main', image: 'x' }] },
  }
  await client.create(pods, made)
  await accounts.world.settle()
  const say = async (line: string): Promise<void> => {
    world.server.printed(speakingPod, `${line}\n`)
    await accounts.world.advance(61_000)
    await accounts.world.settle()
  }
  return { accounts, say }
}
