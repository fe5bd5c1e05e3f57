# The image that the manifests name: the built package on Node, as nobody in particular, on a root that may be read-only.
# Needs `npm run build` before it: docker build -t vouch:0.1.0 .
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /vouch
COPY dist/package/package.json ./
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /vouch
COPY --from=dependencies /vouch/node_modules ./node_modules
COPY dist/package ./
# Two names, since the manifests of the webhook start the program that it stands in for.
RUN printf '#!/bin/sh\nexec node /vouch/dist/vouch.js "$@"\n' > /usr/bin/vouch \
 && printf '#!/bin/sh\nexec node /vouch/dist/vouch.js webhook aws "$@"\n' > /usr/bin/aws-pod-identity-webhook \
 && chmod 755 /usr/bin/vouch /usr/bin/aws-pod-identity-webhook
USER 65532:65532
ENTRYPOINT ["node", "/vouch/dist/vouch.js"]
