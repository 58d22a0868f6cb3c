# docker build -t quire .                          reads PDFs, texts, mail, images, and the text of office files
# docker build -t quire:office --target office .   with LibreOffice, which keeps the looks of office files
# docker run -p 8000:8000 -v quire-data:/data quire
# docker run --rm -v quire-data:/data -v "$PWD":/in:ro quire import /in
#
# The root file system may be read-only: add --read-only --tmpfs /tmp.

FROM node:24-slim AS package
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# --build-arg QUIRE_COMMIT=$(git rev-parse HEAD) makes `quire --version` say it.
ARG QUIRE_COMMIT
RUN npm run package:npm && cd dist/npm && npm pack --pack-destination /build

FROM node:24-slim AS base
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=package /build/quire-*.tgz /tmp/
# The Node that Quire depends on comes with headers and manuals, which no server needs.
RUN echo '{ "private": true, "allowScripts": { "node": true } }' > package.json \
  && npm install --omit=dev --no-audit --no-fund /tmp/quire-*.tgz \
  && npm cache clean --force \
  && rm -rf /tmp/quire-*.tgz node_modules/node/node_modules/*/include node_modules/node/node_modules/*/share \
    node_modules/node/node_modules/*/lib
RUN mkdir /data && chown node:node /data
ENV QUIRE_DATA=/data
ENV QUIRE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8000
# Bash opens the connection itself: a whole Node every half minute would cost more than most requests.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${QUIRE_PORT:-8000} && printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]"]
# The first process of a container has to reap the children of others that have ended, and tini does.
ENTRYPOINT ["tini", "--", "/app/node_modules/.bin/quire"]
CMD ["serve"]
LABEL org.opencontainers.image.title="Quire" \
  org.opencontainers.image.description="A document service that you host yourself" \
  org.opencontainers.image.licenses="MIT"

FROM base AS office
RUN apt-get update \
  && apt-get install -y --no-install-recommends libreoffice-core libreoffice-writer libreoffice-calc \
    libreoffice-impress qpdf fonts-liberation2 \
  && rm -rf /var/lib/apt/lists/*
USER node

FROM base AS plain
USER node
