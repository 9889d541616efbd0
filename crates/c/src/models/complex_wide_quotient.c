    {
        double square = (double)c * c + (double)d * d;
        x = ((double)a * c + (double)b * d) / square;
        y = ((double)b * c - (double)a * d) / square;
    }
