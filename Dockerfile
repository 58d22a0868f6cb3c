# docker build -t quire .
# docker run --init -p 8000:8000 -v quire-data:/data quire
# docker run --init --rm -v quire-data:/data -v "$PWD":/in:ro quire import /in
FROM node:24-slim

WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
# The language packages bring their data twice; Quire reads the smaller one.
RUN npm ci --omit=dev && npm cache clean --force && rm -rf node_modules/@tesseract.js-data/*/4.0.0
COPY LICENSE ./
COPY samples ./samples
COPY src ./src

RUN mkdir /data && chown node:node /data
USER node
# The Node that package-lock.json pins goes before the image's own.
ENV PATH=/app/node_modules/.bin:$PATH
ENV QUIRE_DATA=/data
ENV QUIRE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.QUIRE_PORT ?? 8000) + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "--no-allocation-site-pretenuring", "src/main.ts"]
CMD ["serve"]
