"""Functions that the native engine computes as the vendor does: only their parameters are declared here."""

from collections.abc import Sequence

from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import Grid, Result, formula_error

COUNTING = ("BINOM.INV", "CRITBINOM")  # go through all trials
MAX_LETTERS = 500  # of a number, a unit or a field; ours
_BY_KINDS = {
    "n": (
        "FISHER FISHERINV GAMMA GAMMALN GAMMALN.PRECISE GAUSS PHI NORM.S.INV NORMSINV NORMSDIST ERF.PRECISE ERFC"
        " ERFC.PRECISE ACOTH"
    ),
    "n n": (
        "COMBINA DOLLARDE DOLLARFR EFFECT NOMINAL BITAND BITOR BITXOR BITLSHIFT BITRSHIFT CHIDIST CHIINV CHISQ.DIST.RT"
        " CHISQ.INV CHISQ.INV.RT T.DIST.2T T.DIST.RT T.INV T.INV.2T TINV"
    ),
    "n n?": "DELTA GESTEP ERF NORM.S.DIST",
    "n n n": (
        "SLN RRI PDURATION CHISQ.DIST EXPON.DIST EXPONDIST F.DIST.RT F.INV F.INV.RT FDIST FINV GAMMA.INV GAMMAINV"
        " LOGINV LOGNORM.INV LOGNORMDIST NORM.INV NORMINV POISSON POISSON.DIST STANDARDIZE T.DIST TDIST CONFIDENCE"
        " CONFIDENCE.NORM CONFIDENCE.T CRITBINOM BINOM.INV NEGBINOMDIST TBILLEQ TBILLPRICE TBILLYIELD"
    ),
    "n n n n": (
        "SYD ISPMT BINOM.DIST BINOMDIST F.DIST GAMMA.DIST GAMMADIST HYPGEOMDIST LOGNORM.DIST NEGBINOM.DIST NORM.DIST"
        " NORMDIST WEIBULL WEIBULL.DIST"
    ),
    "n n n n n": "HYPGEOM.DIST",
    "n n n n? n?": "FV PV PMT NPER BETAINV BETA.INV BETADIST",
    "n n n n n? n?": "IPMT PPMT BETA.DIST",
    "n n n n? n? n?": "RATE",
    "n n n n n n": "CUMIPMT CUMPRINC",
    "n n n n n?": "ACCRINTM DB DDB",
    "n n n n n n n?": "PRICE YIELD",
    "n n n n n n n? b?": "ACCRINT",
    "n g g*": "NPV",
    "g n?": "IRR",
    "g n n": "MIRR",
    "n g g": "XNPV FORECAST FORECAST.LINEAR",
    "g g n?": "XIRR",
    "g g": "CORREL COVAR COVARIANCE.P COVARIANCE.S PEARSON RSQ SLOPE INTERCEPT STEYX CHISQ.TEST CHITEST F.TEST FTEST",
    "g g n n": "T.TEST TTEST",
    "g n n?": "Z.TEST ZTEST PERCENTRANK PERCENTRANK.EXC PERCENTRANK.INC",
    "g n": "TRIMMEAN",
    "g g*": "KURT SKEW SKEW.P",
    "g g? g? b?": "TREND GROWTH",
    "g g? b? b?": "LINEST LOGEST",
    "g v g": "DAVERAGE DCOUNT DCOUNTA DGET DMAX DMIN DPRODUCT DSTDEV DSTDEVP DSUM DVAR DVARP",
    "v": (
        "BIN2DEC HEX2DEC OCT2DEC IMABS IMAGINARY IMARGUMENT IMCONJUGATE IMCOS IMCOSH IMCOT IMCSC IMCSCH IMEXP IMLN"
        " IMLOG10 IMLOG2 IMREAL IMSEC IMSECH IMSIN IMSINH IMSQRT IMTAN"
    ),
    "v n?": "BIN2HEX BIN2OCT DEC2BIN DEC2HEX DEC2OCT HEX2BIN HEX2OCT OCT2BIN OCT2HEX",
    "v v": "IMDIV IMSUB",
    "v n": "IMPOWER DECIMAL",
    "v v*": "IMPRODUCT IMSUM",
    "n n t?": "COMPLEX",
    "n t t": "CONVERT",
    "n n n?": "BASE",
}


def _rounds(name: str, arguments: Sequence[Result]) -> int:
    """Return the cost of a function that iterates: the cells handed over, and trials."""
    cells = sum(argument.height * argument.width for argument in arguments if isinstance(argument, Grid))
    trials = arguments[0] if name in COUNTING else 0.0
    return 9 * cells // 2 + (int(min(abs(trials), 1e6)) // 20 if isinstance(trials, float) else 0)


def _delegate(name: str, kinds: str) -> None:
    def code(run: Run, *arguments: Result) -> Result:
        run.spend(400 + _rounds(name, arguments))
        if any(isinstance(argument, str) and len(argument) > MAX_LETTERS for argument in arguments):
            raise formula_error("#NUM!", f"Function {name} parameter value is out of range.")
        return run.around.delegate(name, arguments)

    function(name, kinds, run=True)(code)


_KINDS = {name: kinds for kinds, names in _BY_KINDS.items() for name in names.split()}
for _name, _kinds in _KINDS.items():
    _delegate(_name, _kinds)
