"""Wrong programs of known error classes over two small tables: what models really write."""

# ruff: noqa: E501 - a case is a line

from typing import NamedTuple

import polars as pl

PLAYERS = pl.DataFrame(
    {
        "Player": ["jalen rose", "terrence ross", "amir johnson", "josé calderón", "ed davis"],
        "No.": ["5", "31", "15", "8", "9"],
        "Nationality": [
            "united states",
            "united states",
            "united states",
            "spain",
            "united states",
        ],
        "Position": ["guard-forward", "guard", "forward-center", "guard", "forward"],
        "Points": [10, 12, 7, 12, 9],
        "Score": [8.5, 9.1, 7.0, 9.4, None],
        "Joined": ["december 5", "may 3", "june 9", "october 1", "may 30"],
    }
)
CARS = pl.DataFrame(
    {
        "car_name": ["ford pinto", "audi fox", "bmw 2002", "ford maverick", "saab 99e", "fiat 128"],
        "mpg": [25.0, 29.0, 26.0, 21.0, 25.0, 29.0],
        "cylinders": [4, 4, 4, 6, 4, 4],
        "weight": [2046, 2219, 2234, 2587, 2375, 1867],
        "model_year": [71, 75, 70, 70, 70, 73],
        "price": ["2,100", "3,400", "3,900", "1,995", "3,100", "2,050"],
        "origin": ["usa", "europe", "europe", "usa", "europe", "europe"],
    }
)
TABLES = {"players": PLAYERS, "cars": CARS}


class Case(NamedTuple):
    """A mistake.

    Attributes:
        table: Name of the table.
        question: The question.
        code: The wrong program.
        gold: The right one.
        classes: What a reader of Table 6 says of it, the main class first.
    """

    table: str
    question: str
    code: str
    gold: str
    classes: tuple[str, ...]


P, C = "players", "cars"
SC, AC, CO = ("String", "Condition"), ("Access", "Condition"), ("Condition",)
ASC = ("String", "Access", "Condition")
ROSE = "result = df.loc[df['Player'] == 'jalen rose', 'Position'].iloc[0]"
EUROPE = "result = df[df['origin'] == 'europe']['mpg'].mean()"

CASES = (
    # strings
    Case(P, "how many schools had jalen rose", "result = df.loc[df['Player'] == 'Jalen Rose', 'Position'].nunique()", "result = df.loc[df['Player'] == 'jalen rose', 'Position'].nunique()", SC),
    Case(P, "what position does jalen rose play", "result = df[df['Player'] == 'Jalen Rose']['Position'].values[0]", ROSE, ASC),
    Case(P, "how many guards are there, of any sort", "result = (df['Position'] == 'guard').sum()", "result = df['Position'].str.contains('guard').sum()", ("String", "Condition")),
    Case(P, "how many points has jose calderon", "result = df.loc[df['Player'] == 'jose calderon', 'Points'].iloc[0]", "result = df.loc[df['Player'] == 'josé calderón', 'Points'].iloc[0]", ASC),
    Case(P, "how many players come from the united states", "result = len(df[df['Nationality'] == 'united states '])", "result = len(df[df['Nationality'] == 'united states'])", SC),
    Case(C, "how many fords are there", "result = df[df['car_name'] == 'ford'].shape[0]", "result = df[df['car_name'].str.contains('ford')].shape[0]", SC),
    Case(C, "how many fords are there", "result = df['car_name'].str.contains('Ford').sum()", "result = df['car_name'].str.contains('ford').sum()", SC),
    Case(C, "what is the mean mpg of european cars", "result = df[df['origin'] == 'Europe']['mpg'].mean()", EUROPE, SC),
    # access
    Case(P, "who is the tenth player", "result = df.iloc[9]['Player']", "result = df.iloc[4]['Player']", ("Access",)),
    Case(P, "what position does kobe bryant play", "result = df[df['Player'] == 'kobe bryant']['Position'].values[0]", ROSE, AC),
    Case(C, "how many cars were made in 1999", "result = df['model_year'].value_counts()[99]", "result = (df['model_year'] == 71).sum()", ("Access",)),
    Case(C, "what is the mpg of row 12", "result = df.loc[12, 'mpg']", "result = df.loc[0, 'mpg']", ("Access",)),
    Case(C, "name the third european car with six cylinders", "result = df[(df['origin'] == 'usa') & (df['cylinders'] == 6)]['car_name'].iloc[2]", "result = 'ford maverick'", ("Access",)),
    # conditions
    Case(C, "what is the mean mpg of cars with 8 cylinders", "result = df[df['cylinders'] == 8]['mpg'].mean()", "result = df[df['cylinders'] == 6]['mpg'].mean()", CO),
    Case(C, "how many cars have an mpg of at least 25", "result = (df['mpg'] > 25).sum()", "result = (df['mpg'] >= 25).sum()", CO),
    Case(C, "how many cars weigh more than 2200", "result = (df['weight'] > 22000).sum()", "result = (df['weight'] > 2200).sum()", CO),
    Case(P, "who plays for canada", "result = df[df['Nationality'] == 'canada']['Player'].tolist()", "result = df[df['Nationality'] == 'spain']['Player'].tolist()", CO),
    Case(C, "what is the mean mpg of european cars", "result = df[df['origin'] == 'usa']['mpg'].mean()", EUROPE, CO),
    Case(C, "which cars were made after 1970", "result = df[df['model_year'] > 1970]['car_name'].tolist()", "result = df[df['model_year'] > 70]['car_name'].tolist()", CO),
    # types
    Case(P, "what is the sum of the numbers", "result = df['No.'].sum()", "result = df['No.'].astype(int).sum()", ("Type", "Expectation")),
    Case(P, "what is the highest number", "result = df['No.'].max()", "result = df['No.'].astype(int).max()", ("Type",)),
    Case(P, "how many players have a number above 9", "result = (df['No.'] > 9).sum()", "result = (df['No.'].astype(int) > 9).sum()", ("Type",)),
    Case(C, "what is the mean price", "result = df['price'].mean()", "result = df['price'].str.replace(',', '').astype(float).mean()", ("Type",)),
    Case(C, "what is the mean price", "result = df['price'].astype(float).mean()", "result = df['price'].str.replace(',', '').astype(float).mean()", ("Type",)),
    Case(C, "in which years were cars made", "result = df['model_year'].str.strip().unique()", "result = df['model_year'].unique()", ("Type",)),
    Case(C, "what are the correlations", "result = df.corr()", "result = df.corr(numeric_only=True)", ("Type",)),
    Case(C, "what is the total weight of the cars with 4 cylinders", "result = df[df['cylinders'] == 4]['weight'].count()", "result = df[df['cylinders'] == 4]['weight'].sum()", ("Type",)),
    Case(C, "how many cars are european", "result = df[df['origin'] == 'europe']['mpg'].sum()", "result = df[df['origin'] == 'europe']['mpg'].count()", ("Type",)),
    Case(P, "who joined on may 3", "result = df[pd.to_datetime(df['Joined'], format='%Y-%m-%d') == '2013-05-03']['Player']", "result = df[df['Joined'] == 'may 3']['Player']", ("Type",)),
    Case(P, "which player has number 31", "result = df[df['No.'] == 31]['Player'].tolist()", "result = df[df['No.'] == '31']['Player'].tolist()", ("Type", "Condition")),
    # expectations
    Case(C, "which car is the heaviest", "result = df.sort_values('weight', ascending=False)", "result = df.sort_values('weight', ascending=False)['car_name'].iloc[0]", ("Expectation", "Structure")),
    Case(C, "what share of cars, in percent, is european", "result = (df['origin'] == 'europe').mean()", "result = (df['origin'] == 'europe').mean() * 100", ("Expectation",)),
    Case(C, "how heavy is the heaviest car", "result = df['weight'].idxmax()", "result = df['weight'].max()", ("Type",)),
    Case(C, "name the two most economical cars", "result = df.nlargest(3, 'mpg')['car_name']", "result = df.nlargest(2, 'mpg')['car_name']", ("Expectation",)),
    Case(C, "what are the mean and the median mpg by origin", "result = df.groupby('origin')['mpg'].agg(['mean'])", "result = df.groupby('origin')['mpg'].agg(['mean', 'median'])", ("Expectation",)),
    Case(C, "what is the mean mpg by origin", "result = df['mpg'].mean()", "result = df.groupby('origin')['mpg'].mean()", ("Expectation", "Structure")),
    # structure
    Case(C, "what is the most common age of the cars", "result = df['age'].mode()", "result = df['model_year'].mode()", ("Structure",)),
    Case(C, "what is the mean mpg of cars with more than 100 horsepower", "result = df[df['horsepower'] > 100]['mpg'].mean()", "result = df[df['weight'] > 2200]['mpg'].mean()", ("Structure", "Condition")),
    Case(C, "what is the mean weight by country", "result = df.groupby('country')['weight'].mean()", "result = df.groupby('origin')['weight'].mean()", ("Structure",)),
    Case(C, "what is the variance of mpg by severity of use", "result = df.groupby('cylinders')['mpg'].var()", "result = df.groupby('origin')['mpg'].var()", ("Structure",)),
    Case(C, "which origin has the best mean mpg", "g = df.groupby('origin')['mpg'].mean()\nresult = g.sort_values('mpg').iloc[0]", "result = df.groupby('origin')['mpg'].mean().idxmax()", ("Function",)),
    Case(C, "which origin has the best mean mpg, and how much", "g = df.groupby('origin')['mpg'].mean()\nresult = g['origin'].iloc[0]", "result = df.groupby('origin')['mpg'].mean().idxmax()", ("Structure",)),
    Case(C, "show name and horsepower", "result = df[['car_name', 'horsepower']]", "result = df[['car_name', 'weight']]", ("Structure",)),
    Case(C, "which year had the most cars", "result = df['model_year'].value_counts().idxmax()[0]", "result = df['model_year'].value_counts().idxmax()", ("Structure",)),
    # functions
    Case(C, "which origins are there", "result = df.unique('origin')", "result = df['origin'].unique()", ("Function",)),
    Case(C, "what are the two lightest cars", "result = df.nsmallest(2)['car_name']", "result = df.nsmallest(2, 'weight')['car_name']", ("Function",)),
    Case(C, "what is the mean mpg", "result = df['mpg'].mean(round=1)", "result = df['mpg'].mean()", ("Function",)),
    Case(C, "what is the most common mpg", "result = df['mpg'].values.mode()", "result = df['mpg'].mode()[0]", ("Function",)),
    Case(C, "what is the range of weight", "result = df['weight'].range()", "result = df['weight'].max() - df['weight'].min()", ("Function",)),
    Case(C, "list origins in order", "result = df['origin'].unique().sort_values()", "result = sorted(df['origin'].unique())", ("Function",)),
    # others
    Case(C, "what is the mean mpg", "result = df['mpg'].mean(", "result = df['mpg'].mean()", ("Others",)),
    Case(C, "what is the mean mpg", "answer = df['mpg'].mean()", "result = df['mpg'].mean()", ("Others",)),
    Case(C, "what is the mean mpg", "result = mean_mpg", "result = df['mpg'].mean()", ("Others",)),
    Case(C, "what is mpg over weight, in all", "result = df['mpg'].sum() / 0 if True else 1\nresult = 1 / int(result > 1e308 and 0)", "result = df['mpg'].sum() / df['weight'].sum()", ("Others",)),
    Case(C, "how long is the list", "while True:\n    pass\nresult = 1", "result = len(df)", ("Others",)),
)  # fmt: skip

# Written after the rules, to see how they do on what they were not mended for.
HELD_CASES = (
    Case(P, "what is ed davis's score", "result = df[df['Player'] == 'Ed Davis']['Score'].iloc[0]", "result = df[df['Player'] == 'ed davis']['Score'].iloc[0]", ASC),
    Case(P, "how many forwards are there, of any sort", "result = len(df[df['Position'] == 'forward'])", "result = len(df[df['Position'].str.contains('forward')])", SC),
    Case(P, "how many players are guards or forward-centers", "result = df['Position'].isin(['guard', 'forward center']).sum()", "result = df['Position'].isin(['guard', 'forward-center']).sum()", SC),
    Case(P, "who joined in may", "result = df[df['Joined'] == 'may']['Player'].tolist()", "result = df[df['Joined'].str.startswith('may')]['Player'].tolist()", SC),
    Case(P, "who joined in june", "result = df[df['Joined'].str.startswith('June')]['Player'].iloc[0]", "result = df[df['Joined'].str.startswith('june')]['Player'].iloc[0]", ASC),
    Case(C, "what is the price of the bmw", "result = df.set_index('car_name').loc['bmw', 'price']", "result = df[df['car_name'].str.contains('bmw')]['price'].iloc[0]", ("Access", "String")),
    Case(C, "which car is the seventh", "result = df['car_name'][6]", "result = df['car_name'][5]", ("Access",)),
    Case(C, "name the car with eight cylinders", "result = df[df['cylinders'] == 8]['car_name'].values[0]", "result = df[df['cylinders'] == 6]['car_name'].values[0]", ("Access", "Condition")),
    Case(C, "how many cars have less than 25 mpg", "result = (df['mpg'] <= 25).sum()", "result = (df['mpg'] < 25).sum()", CO),
    Case(C, "which japanese cars are there", "result = df[df['origin'] == 'japan']['car_name']", "result = df[df['origin'] == 'europe']['car_name']", CO),
    Case(C, "what is the mean weight of cars made in 1970", "result = df[df['model_year'] == 1970]['weight'].mean()", "result = df[df['model_year'] == 70]['weight'].mean()", CO),
    Case(C, "what is the highest price", "result = df['price'].max()", "result = df['price'].str.replace(',', '').astype(int).max()", ("Type",)),
    Case(C, "what is the median price", "result = df['price'].median()", "result = df['price'].str.replace(',', '').astype(float).median()", ("Type",)),
    Case(C, "what is twice the price", "result = df['price'] / 2", "result = df['price'].str.replace(',', '').astype(float) / 2", ("Type",)),
    Case(C, "what is the mean weight of usa cars", "result = df[df['origin'] == 'usa']['weight'].median() + 1", "result = df[df['origin'] == 'usa']['weight'].mean()", ("Type",)),
    Case(C, "how many different origins are there", "result = df['origin'].count()", "result = df['origin'].nunique()", ("Type",)),
    Case(C, "which year has the most cars", "result = df['model_year'].value_counts()", "result = df['model_year'].value_counts().idxmax()", ("Expectation",)),
    Case(C, "what share of cars has 4 cylinders, in percent", "result = (df['cylinders'] == 4).sum() / len(df)", "result = (df['cylinders'] == 4).sum() / len(df) * 100", ("Expectation",)),
    Case(C, "list the origins", "result = df['origin'].tolist()", "result = df['origin'].unique().tolist()", ("Expectation",)),
    Case(C, "how many kilometres can each car do", "result = df['range_km']", "result = df[['car_name', 'mpg']]", ("Structure",)),
    Case(C, "what is the mean horsepower by year", "result = df.groupby('model_year')['horsepower'].mean()", "result = df.groupby('model_year')['weight'].mean()", ("Structure",)),
    Case(C, "what is the mean mpg by year, as a list", "result = df.groupby('model_year')['mpg'].mean()['mpg'].tolist()", "result = df.groupby('model_year')['mpg'].mean().tolist()", ("Structure",)),
    Case(C, "what is the lightest weight by origin", "result = df.groupby('origin')['mpg'].min()", "result = df.groupby('origin')['weight'].min()", ("Structure",)),
    Case(C, "what is the first name", "result = df['car_name'].first_item()", "result = df['car_name'].iloc[0]", ("Function",)),
    Case(C, "what are the sorted weights", "result = df['weight'].sort_values('weight')", "result = df['weight'].sort_values()", ("Function",)),
    Case(C, "round the mean mpg", "result = df['mpg'].mean(decimals=1)", "result = round(df['mpg'].mean(), 1)", ("Function",)),
    Case(C, "top two weights", "result = df['weight'].top(2)", "result = df['weight'].nlargest(2)", ("Function",)),
    Case(C, "what is the mean mpg", "result = df['mpg'].mean() if", "result = df['mpg'].mean()", ("Others",)),
    Case(C, "what is the mean mpg", "result = total / len(df)", "result = df['mpg'].mean()", ("Others",)),
)  # fmt: skip
