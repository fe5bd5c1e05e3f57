// Fetches what AWS makes and writes it into its Secret.

import type { AwsClients } from '#aws/client'
import type { Random } from '#base'
import { secrets } from '#kube'
import type { ActContext } from '#runtime'
import { annotations } from '../api.ts'
import type { OutputAction } from '../decide/actions.ts'
import type { SecretOutput } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Settings } from '../options.ts'
import { clientChoice } from '../place/client-choice.ts'

export interface OutputOptions {
  readonly model: KindModel
  readonly settings: Settings
  readonly aws: AwsClients
  readonly random: Random
  readonly output: SecretOutput
}

export async function carryOutOutput(action: OutputAction, context: ActContext, options: OutputOptions): Promise<void> {
  const { model, settings, aws, random, output } = options
  const client = aws.for(clientChoice({ model, settings, place: action.place }))
  const values = await output.fetch((operation, input) => client.call(operation, input, { signal: context.signal }), {
    latest: action.latest,
    key: action.target.key,
    random,
  })
  const data = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(String(value), 'utf8').toString('base64')]),
  )
  const { namespace, name } = action.target
  const body = { metadata: { annotations: { [annotations.exported]: action.mark } }, data }
  context.checkFence()
  const { secretUid: uid, secretVersion: resourceVersion } = action
  // The patch is bound to the version that was judged: a Secret that became somebody else's since is judged anew.
  await context.carryOut({ kind: 'patch', type: secrets, key: { namespace, name }, patch: 'merge', body, uid, resourceVersion })
}
