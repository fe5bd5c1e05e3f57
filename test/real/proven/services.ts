// Services as a user has them: the newest model and the config that upstream ships. Both are data beside the checkout, not part of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ServiceModel } from '#aws'
import { crdOf, inferService, readGeneratorConfig, readModel, resourceService } from '#crdgen'
import { type ServiceWithKinds, shippedKinds } from '#operators/resources'
import { botocoreData } from '../programs/botocore-data.ts'
import type { Python } from '../programs/python.ts'
import type { KindCase } from './case.ts'
import type { ProofWorld } from './proof.ts'

/** With the whole model, for calls that no kind makes. */
export interface ProvenService extends ServiceWithKinds {
  readonly full: ServiceModel
}

const shared = join(import.meta.dirname, '../../../../shared')
export const modelsFolder: string = process.env['VOUCH_MODELS'] ?? join(shared, 'models')
export const configsFolder: string = process.env['VOUCH_GENERATORS'] ?? join(shared, 'ack-more')

/** Why the data cannot be had; absent when it is there. */
export const missingData: string | undefined = [modelsFolder, configsFolder].every(existsSync)
  ? undefined
  : `skipped: ${modelsFolder} or ${configsFolder} is not here; VOUCH_MODELS and VOUCH_GENERATORS name others`

/** The services of these cases; of those that only make what is needed, the models that botocore has. */
export function neededBy(
  cases: readonly KindCase[],
  python: Python,
): Required<Pick<ProofWorld, 'services' | 'models' | 'shipped'>> {
  const aliases = new Set(['iam', ...cases.flatMap(({ service, needs = [] }) => [service, ...needs.map(([each]) => each)])])
  const shipped = shippedKinds.filter(alias => aliases.has(alias))
  const isProven = (alias: string): boolean => existsSync(join(configsFolder, alias))
  const others = [...aliases].filter(alias => !isProven(alias) && !shipped.some(each => each === alias))
  return {
    shipped,
    services: [...aliases].filter(isProven).map(provenService),
    models: new Map(others.map(alias => [alias, botocoreModel(botocoreData(python), alias)])),
  }
}

function botocoreModel(data: string, alias: string): ServiceModel {
  const folder = join(data, alias)
  const file = join(folder, readdirSync(folder).sort().at(-1) ?? '', 'service-2.json.gz')
  return readModel(gunzipSync(readFileSync(file)), { file })
}

export function provenModelFile(alias: string): string {
  const config = join(configsFolder, alias, 'generator.yaml')
  const stem = readGeneratorConfig(readFileSync(config, 'utf8'), config).config.sdk_names?.model_name ?? alias
  const file = readdirSync(modelsFolder).find(name => name.startsWith(`${stem}-2`))
  if (file === undefined) throw new Error(`${modelsFolder} has no model of ${stem}`)
  return join(modelsFolder, file)
}

export function provenService(alias: string): ProvenService {
  const config = join(configsFolder, alias, 'generator.yaml')
  const text = readFileSync(config, 'utf8')
  const loaded = readGeneratorConfig(text, config)
  const file = provenModelFile(alias)
  const bytes = readFileSync(file)
  const full = readModel(bytes, { file })
  const service = inferService(full, { alias, loaded })
  return {
    full,
    service: resourceService(service, { kinds: service.kinds, madeOf: { model: bytes, config: text, program: '' } }),
    crds: service.kinds.map(kind => crdOf(service, kind)) as unknown as ServiceWithKinds['crds'],
  }
}
