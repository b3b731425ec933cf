-- Written for tsql, where it was never run; look at its results first.
-- Table plots, from plots: city String, height Float64, sown Date
-- Table places, from places: city String, rain Int64
WITH [T1] AS (
  /* Filter */
  SELECT
    [t0].[city],
    [t0].[height],
    [t0].[sown]
  FROM [plots] AS [t0]
  WHERE
    [t0].[height] > 0.5 AND SUBSTRING(LOWER([t0].[city]), 1, 1) = 'b'
), [T2] AS (
  /* Derive */
  SELECT
    [t0].[city],
    [t0].[height],
    [t0].[sown],
    CASE
      WHEN [t0].[height] > 1
      THEN 'tall'
      ELSE LOWER(REPLACE(REPLACE([t0].[city], 'İ', 'i̇'), 'Σ', 'σ'))
    END AS [size]
  FROM [T1] AS [t0]
), [T3] AS (
  /* Derive */
  SELECT
    [t0].[city],
    [t0].[height],
    [t0].[sown],
    [t0].[size],
    CAST(DATEPART(year, [t0].[sown]) AS BIGINT) AS [year]
  FROM [T2] AS [t0]
), [T4] AS (
  /* Join */
  SELECT
    [t2].[city],
    [t2].[height],
    [t2].[sown],
    [t2].[size],
    [t2].[year],
    [t3].[rain]
  FROM [T3] AS [t2]
  LEFT OUTER JOIN [places] AS [t3]
    ON [t2].[city] = [t3].[city]
), [T5_1] AS (
  SELECT
    [t0].[city] AS [city],
    [t0].[height] AS [height],
    [t0].[sown] AS [sown],
    [t0].[size] AS [size],
    [t0].[year] AS [year],
    [t0].[rain] AS [rain],
    CAST(CASE
      WHEN [t0].[height] IS NULL
      THEN 1
      WHEN IIF([t0].[height] IS NULL, 1, 0) = 0
      THEN 0
      ELSE NULL
    END AS BIGINT) AS [__window_null_0],
    CASE
      WHEN NOT (
        0.0e0 - [t0].[height]
      ) IS NULL
      THEN RANK() OVER (
        PARTITION BY [t0].[city], CAST(CASE
          WHEN [t0].[height] IS NULL
          THEN 1
          WHEN IIF([t0].[height] IS NULL, 1, 0) = 0
          THEN 0
          ELSE NULL
        END AS BIGINT)
        ORDER BY CASE WHEN (
          0.0e0 - [t0].[height]
        ) IS NULL THEN 1 ELSE 0 END, 0.0e0 - [t0].[height] ASC
      )
      ELSE NULL
    END AS [__window_rank]
  FROM [T4] AS [t0]
), [T5] AS (
  SELECT
    [t3].[city],
    [t3].[height],
    [t3].[sown],
    [t3].[size],
    [t3].[year],
    [t3].[rain],
    CASE WHEN [t3].[__window_null_0] = 0 THEN [t3].[__window_rank] ELSE NULL END AS [rank]
  FROM [T5_1] AS t3
), [T6] AS (
  /* Group */
  SELECT
    [t1].[size],
    [t1].[year],
    [t1].[mean_height]
  FROM (
    SELECT
      [t0].[size],
      [t0].[year],
      AVG([t0].[height]) AS [mean_height]
    FROM [T5] AS [t0]
    GROUP BY
      [t0].[size],
      [t0].[year]
  ) AS [t1]
), [T7] AS (
  /* Sort */
  SELECT
    [t1].[size],
    [t1].[year],
    [t1].[mean_height]
  FROM (
    SELECT
      [t0].[size],
      [t0].[year],
      [t0].[mean_height],
      RANK() OVER (ORDER BY [t0].[mean_height] DESC) AS [__rank]
    FROM [T6] AS [t0]
  ) AS [t1]
  WHERE
    [t1].[__rank] <= 3
)
SELECT
  *
FROM [T7]
ORDER BY
  [mean_height] DESC,
  CASE WHEN [size] IS NULL THEN 1 ELSE 0 END, [size] ASC,
  CASE WHEN [year] IS NULL THEN 1 ELSE 0 END, [year] ASC
