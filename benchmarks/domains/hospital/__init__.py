"""Inpatient stays of a three-campus teaching hospital: diagnoses, laboratory, drugs, charges."""
