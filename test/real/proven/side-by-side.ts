// Many proofs on one moto, each in an account of its own: they mostly wait for what is polled.
import { startMoto } from '../programs/moto.ts'
import type { Python } from '../programs/python.ts'
import type { KindCase } from './case.ts'
import { accountOf, type Proof, prove } from './proof.ts'
import { neededBy } from './services.ts'

/** More of them would wait for the processor, not for moto. */
const atOnce = 4

export async function proofsOnMoto(
  cases: readonly KindCase[],
  python: Python,
  onProof: (proof: Proof) => void = () => undefined,
): Promise<readonly Proof[]> {
  const moto = await startMoto(python)
  const proofs: Proof[] = []
  const left = [...cases.entries()]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, one] = next
      const proof = await prove({ url: moto.url, account: accountOf(index), ...neededBy([one], python) }, one)
      proofs[index] = proof
      onProof(proof)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, worker))
  } finally {
    await moto.stop()
  }
  return proofs
}
