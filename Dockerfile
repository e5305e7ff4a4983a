# The residuum command in a container:
#   docker build -t residuum .
#   docker run --rm -v "$PWD:/data" residuum embed edges.csv -o vectors.parquet
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY packaging packaging
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    --mount=type=bind,source=constraints.txt,target=/constraints.txt \
    pip install --no-cache-dir --constraint /constraints.txt "$(echo /wheels/*.whl)[report]" \
    && useradd --create-home --uid 1000 residuum
USER 1000
# Mount a volume here to keep the compiled kernels between runs.
ENV NUMBA_CACHE_DIR=/home/residuum/.cache/numba
WORKDIR /data
ENTRYPOINT ["residuum"]
CMD ["--help"]
