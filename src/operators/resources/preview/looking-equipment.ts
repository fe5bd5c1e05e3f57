// What a look at one kind takes, for those who only look: nothing is remembered beyond it.
import { createEquipment, type Equipment } from '../equipment.ts'
import { deviationOf } from '../kinds/deviations.ts'
import { Memory } from '../memory.ts'
import type { KindModel } from '../model/kind-model.ts'
import { type ResourcesOptions, settingsOf } from '../options.ts'

export function lookingEquipment(
  model: KindModel,
  services: Parameters<typeof createEquipment>[0]['services'],
  options: ResourcesOptions,
): Equipment {
  const { aws, nowMs } = options
  return createEquipment({
    model,
    deviation: deviationOf(model.id),
    settings: settingsOf(options),
    services,
    aws,
    memory: new Memory(),
    nowMs,
  })
}
