-- Written for clickhouse, where it was never run; look at its results first.
-- Table plots, from plots: city String, height Float64, sown Date
-- Table places, from places: city String, rain Int64
WITH "T1" AS (
  /* Filter */
  SELECT
    *
  FROM "plots" AS "t0"
  WHERE
    "t0"."height" > 0.5 AND startsWith(LOWER("t0"."city"), 'b')
), "T2" AS (
  /* Derive */
  SELECT
    "t0"."city",
    "t0"."height",
    "t0"."sown",
    CASE
      WHEN "t0"."height" > 1
      THEN 'tall'
      ELSE LOWER(replaceAll(replaceAll("t0"."city", 'İ', 'i̇'), 'Σ', 'σ'))
    END AS "size"
  FROM "T1" AS "t0"
), "T3" AS (
  /* Derive */
  SELECT
    "t0"."city",
    "t0"."height",
    "t0"."sown",
    "t0"."size",
    CAST(toYear("t0"."sown") AS Nullable(Int64)) AS "year"
  FROM "T2" AS "t0"
), "T4" AS (
  /* Join */
  SELECT
    "t2"."city",
    "t2"."height",
    "t2"."sown",
    "t2"."size",
    "t2"."year",
    "t3"."rain"
  FROM "T3" AS "t2"
  LEFT OUTER JOIN "places" AS "t3"
    ON "t2"."city" = "t3"."city"
), "T5" AS (
  /* Window */
  WITH "T5_1" AS (
    SELECT
      "t0"."city",
      "t0"."height",
      "t0"."sown",
      "t0"."size",
      "t0"."year",
      "t0"."rain",
      CAST(1 AS Nullable(Int64)) AS "__window_all",
      CAST(isNull("t0"."height") AS Nullable(Int64)) AS "__window_null_0",
      0.0e0 - "t0"."height" AS "__window_key_0"
    FROM "T4" AS "t0"
  ), "T5_2" AS (
    SELECT
      "t1"."city",
      "t1"."height",
      "t1"."sown",
      "t1"."size",
      "t1"."year",
      "t1"."rain",
      "t1"."__window_null_0",
      "t1"."__window_key_0",
      CASE
        WHEN isNotNull("t1"."__window_all")
        THEN SUM("t1"."__window_all") OVER (
          PARTITION BY "t1"."city"
          ORDER BY "t1"."__window_null_0" ASC NULLS FIRST, "t1"."__window_key_0" ASC NULLS FIRST, "t1"."sown" ASC NULLS FIRST, "t1"."size" ASC NULLS FIRST, "t1"."year" ASC NULLS FIRST, "t1"."rain" ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
        ELSE NULL
      END AS "__window_place"
    FROM "T5_1" AS t1
  ), "T5_3" AS (
    SELECT
      "t2"."city",
      "t2"."height",
      "t2"."sown",
      "t2"."size",
      "t2"."year",
      "t2"."rain",
      "t2"."__window_null_0",
      CASE
        WHEN isNotNull("t2"."__window_key_0")
        THEN RANK() OVER (
          PARTITION BY "t2"."city", "t2"."__window_null_0"
          ORDER BY "t2"."__window_key_0" ASC
        )
        ELSE NULL
      END AS "__window_rank"
    FROM "T5_2" AS t2
  )
  SELECT
    "t3"."city",
    "t3"."height",
    "t3"."sown",
    "t3"."size",
    "t3"."year",
    "t3"."rain",
    CASE WHEN "t3"."__window_null_0" = 0 THEN "t3"."__window_rank" ELSE NULL END AS "rank"
  FROM "T5_3" AS t3
), "T6" AS (
  /* Group */
  SELECT
    "t0"."size",
    "t0"."year",
    AVG("t0"."height") AS "mean_height"
  FROM "T5" AS "t0"
  GROUP BY
    "t0"."size",
    "t0"."year"
), "T7" AS (
  /* Sort */
  SELECT
    "t1"."size",
    "t1"."year",
    "t1"."mean_height"
  FROM (
    SELECT
      "t0"."size",
      "t0"."year",
      "t0"."mean_height",
      RANK() OVER (ORDER BY "t0"."mean_height" DESC) AS "__rank"
    FROM "T6" AS "t0"
  ) AS "t1"
  WHERE
    "t1"."__rank" <= 3
)
SELECT
  *
FROM "T7"
ORDER BY
  "mean_height" DESC,
  "size" ASC,
  "year" ASC
SETTINGS join_use_nulls = 1
