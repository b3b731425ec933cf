"""What model-written code may use of scikit-learn: its estimators, metrics, and attributes."""

from typing import Final

from wideleaf.tools.sandbox.syntax.names import words

SKLEARN: Final = {
    "sklearn.cluster": words(
        """
        AffinityPropagation AgglomerativeClustering BisectingKMeans DBSCAN HDBSCAN KMeans MeanShift
        MiniBatchKMeans OPTICS SpectralClustering estimate_bandwidth
        """
    ),
    "sklearn.compose": words(
        """
        ColumnTransformer TransformedTargetRegressor make_column_selector make_column_transformer
        """
    ),
    "sklearn.decomposition": words(
        "FactorAnalysis FastICA IncrementalPCA KernelPCA NMF PCA SparsePCA TruncatedSVD"
    ),
    "sklearn.ensemble": words(
        """
        AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor
        ExtraTreesClassifier ExtraTreesRegressor GradientBoostingClassifier
        GradientBoostingRegressor HistGradientBoostingClassifier HistGradientBoostingRegressor
        IsolationForest RandomForestClassifier RandomForestRegressor StackingClassifier
        StackingRegressor VotingClassifier VotingRegressor
        """
    ),
    "sklearn.impute": words("KNNImputer MissingIndicator SimpleImputer"),
    "sklearn.linear_model": words(
        """
        ARDRegression BayesianRidge ElasticNet ElasticNetCV GammaRegressor HuberRegressor Lars
        LarsCV Lasso LassoCV LassoLars LassoLarsCV LassoLarsIC LinearRegression
        LogisticRegression LogisticRegressionCV Perceptron PoissonRegressor QuantileRegressor
        RANSACRegressor Ridge RidgeCV RidgeClassifier RidgeClassifierCV SGDClassifier SGDRegressor
        TheilSenRegressor TweedieRegressor lasso_path ridge_regression
        """
    ),
    "sklearn.metrics": words(
        """
        accuracy_score adjusted_mutual_info_score adjusted_rand_score auc average_precision_score
        balanced_accuracy_score brier_score_loss calinski_harabasz_score classification_report
        cohen_kappa_score completeness_score confusion_matrix d2_absolute_error_score
        davies_bouldin_score euclidean_distances explained_variance_score f1_score fbeta_score
        fowlkes_mallows_score hamming_loss homogeneity_score jaccard_score log_loss
        matthews_corrcoef max_error mean_absolute_error mean_absolute_percentage_error
        mean_gamma_deviance mean_pinball_loss mean_poisson_deviance mean_squared_error
        mean_squared_log_error mean_tweedie_deviance median_absolute_error
        multilabel_confusion_matrix mutual_info_score ndcg_score normalized_mutual_info_score
        pairwise_distances precision_recall_curve precision_recall_fscore_support precision_score
        r2_score rand_score recall_score roc_auc_score roc_curve root_mean_squared_error
        root_mean_squared_log_error silhouette_samples silhouette_score top_k_accuracy_score
        v_measure_score zero_one_loss
        """
    ),
    "sklearn.metrics.pairwise": words(
        "cosine_distances cosine_similarity euclidean_distances haversine_distances "
        "manhattan_distances nan_euclidean_distances"
    ),
    "sklearn.model_selection": words(
        """
        GridSearchCV GroupKFold GroupShuffleSplit KFold LeaveOneGroupOut LeaveOneOut ParameterGrid
        PredefinedSplit RandomizedSearchCV RepeatedKFold RepeatedStratifiedKFold ShuffleSplit
        StratifiedGroupKFold StratifiedKFold StratifiedShuffleSplit TimeSeriesSplit
        cross_val_predict cross_val_score cross_validate learning_curve permutation_test_score
        train_test_split validation_curve
        """
    ),
    "sklearn.naive_bayes": words("BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB"),
    "sklearn.neighbors": words(
        """
        KNeighborsClassifier KNeighborsRegressor KernelDensity LocalOutlierFactor NearestCentroid
        NearestNeighbors RadiusNeighborsClassifier RadiusNeighborsRegressor
        """
    ),
    "sklearn.pipeline": words("FeatureUnion Pipeline make_pipeline make_union"),
    "sklearn.preprocessing": words(
        """
        Binarizer FunctionTransformer KBinsDiscretizer LabelBinarizer LabelEncoder MaxAbsScaler
        MinMaxScaler MultiLabelBinarizer Normalizer OneHotEncoder OrdinalEncoder PolynomialFeatures
        PowerTransformer QuantileTransformer RobustScaler SplineTransformer StandardScaler
        binarize label_binarize maxabs_scale minmax_scale normalize power_transform
        quantile_transform robust_scale scale
        """
    ),
    "sklearn.tree": words(
        """
        DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor
        export_text
        """
    ),
}
"""Nothing that loads, draws, caches, changes settings, or calls a method by a name it is given;
no `svm`, whose compiled code counts by arrays that a program could write into."""
SKLEARN_VALUES: Final = words(
    """
    C_ alpha_ alphas_ bandwidth_ best_estimator_ best_index_ best_params_ best_score_
    bin_edges_ categories_ ccp_alphas center_ centroids_ children_ class_count_
    class_log_prior_ class_prior_ classes_ cluster_centers_ coef_ components_
    core_sample_indices_ cost_complexity_pruning_path criterion_ cv_results_ data_max_
    data_min_ data_range_ decision_function eigenvalues_ estimator_ explained_variance_
    explained_variance_ratio_ feature_importances_ feature_log_prob_ feature_names_in_
    final_estimator_ fit fit_predict fit_transform get_covariance get_depth
    get_feature_names_out get_n_leaves get_n_splits impurities indicator_ inertia_ inlier_mask_
    intercept_ inverse_transform kneighbors l1_ratio_ labels_ lambda_ lambdas_ max_abs_ mean_
    min_ mixing_ mse_path_ n_bins_ n_classes_ n_clusters_ n_components_ n_features_in_ n_iter_
    n_leaves_ n_outputs_ n_samples_seen_ named_estimators_ named_steps named_transformers_
    negative_outlier_factor_ noise_variance_ offset_ oob_decision_function_ oob_prediction_
    oob_score_ ordering_ predict predict_log_proba predict_proba probabilities_ quantiles_
    radius_neighbors rank_ reachability_ reconstruction_err_ regressor_ scale_ score
    score_samples scores_ set_output singular_ singular_values_ staged_decision_function
    staged_predict staged_predict_proba staged_score statistics_ steps theta_ toarray
    train_score_ transformers_ validation_score_ var_
    """
)
"""Attributes of what these make. Without `set_params` and `get_params`, by which any parameter
could be set, and without `tree_` and `estimators_`, whose arrays are the memory that is walked."""
