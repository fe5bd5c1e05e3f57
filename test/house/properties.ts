// The seed of every property test in this process. A commit is always tried with the same inputs, so that it passes everywhere or
// nowhere; `npm test -- --seed random` looks for new ones and prints how to see them again.
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['VOUCH_PROPERTY_SEED'] ?? 1) })
